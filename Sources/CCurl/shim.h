#pragma once

// Swift cannot call variadic functions, so every option and every piece of information that
// CurlHTTP uses has a function here. One function an option, with the option's exact C type:
// libcurl reads its argument with va_arg, and an int where it expects a long is undefined
// behaviour that a generic wrapper would hide from the compiler.

#include <curl/curl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#define CCURL_EASY(name, option, type)                                        \
  static inline CURLcode ccurl_easy_set_##name(CURL *handle, type value) {    \
    return curl_easy_setopt(handle, option, value);                           \
  }

CCURL_EASY(url, CURLOPT_URL, const char *)
CCURL_EASY(username, CURLOPT_USERNAME, const char *)
CCURL_EASY(password, CURLOPT_PASSWORD, const char *)
CCURL_EASY(disallow_username_in_url, CURLOPT_DISALLOW_USERNAME_IN_URL, long)
CCURL_EASY(path_as_is, CURLOPT_PATH_AS_IS, long)
CCURL_EASY(protocols, CURLOPT_PROTOCOLS_STR, const char *)
CCURL_EASY(redirect_protocols, CURLOPT_REDIR_PROTOCOLS_STR, const char *)
CCURL_EASY(follow_location, CURLOPT_FOLLOWLOCATION, long)
CCURL_EASY(proxy, CURLOPT_PROXY, const char *)
CCURL_EASY(no_proxy, CURLOPT_NOPROXY, const char *)

CCURL_EASY(http_get, CURLOPT_HTTPGET, long)
CCURL_EASY(no_body, CURLOPT_NOBODY, long)
CCURL_EASY(post, CURLOPT_POST, long)
CCURL_EASY(post_size, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t)
CCURL_EASY(copy_post_fields, CURLOPT_COPYPOSTFIELDS, const void *)
CCURL_EASY(custom_request, CURLOPT_CUSTOMREQUEST, const char *)
CCURL_EASY(headers, CURLOPT_HTTPHEADER, struct curl_slist *)
CCURL_EASY(accept_encoding, CURLOPT_ACCEPT_ENCODING, const char *)

CCURL_EASY(connect_timeout_ms, CURLOPT_CONNECTTIMEOUT_MS, long)
CCURL_EASY(maximum_file_size, CURLOPT_MAXFILESIZE_LARGE, curl_off_t)
CCURL_EASY(buffer_size, CURLOPT_BUFFERSIZE, long)
CCURL_EASY(http_version, CURLOPT_HTTP_VERSION, long)
CCURL_EASY(pipe_wait, CURLOPT_PIPEWAIT, long)
CCURL_EASY(fresh_connect, CURLOPT_FRESH_CONNECT, long)
CCURL_EASY(maximum_connection_age, CURLOPT_MAXAGE_CONN, long)
CCURL_EASY(maximum_connection_lifetime, CURLOPT_MAXLIFETIME_CONN, long)
CCURL_EASY(no_signal, CURLOPT_NOSIGNAL, long)
CCURL_EASY(quick_exit, CURLOPT_QUICK_EXIT, long)
CCURL_EASY(suppress_connect_headers, CURLOPT_SUPPRESS_CONNECT_HEADERS, long)

CCURL_EASY(verify_peer, CURLOPT_SSL_VERIFYPEER, long)
CCURL_EASY(verify_host, CURLOPT_SSL_VERIFYHOST, long)
CCURL_EASY(tls_version, CURLOPT_SSLVERSION, long)
CCURL_EASY(ca_file, CURLOPT_CAINFO, const char *)
CCURL_EASY(ca_directory, CURLOPT_CAPATH, const char *)
CCURL_EASY(proxy_tls_version, CURLOPT_PROXY_SSLVERSION, long)
CCURL_EASY(proxy_ca_file, CURLOPT_PROXY_CAINFO, const char *)
CCURL_EASY(proxy_ca_directory, CURLOPT_PROXY_CAPATH, const char *)

CCURL_EASY(error_buffer, CURLOPT_ERRORBUFFER, char *)
CCURL_EASY(write_function, CURLOPT_WRITEFUNCTION, curl_write_callback)
CCURL_EASY(write_data, CURLOPT_WRITEDATA, void *)
CCURL_EASY(header_function, CURLOPT_HEADERFUNCTION, curl_write_callback)
CCURL_EASY(header_data, CURLOPT_HEADERDATA, void *)
CCURL_EASY(open_socket_function, CURLOPT_OPENSOCKETFUNCTION, curl_opensocket_callback)
CCURL_EASY(open_socket_data, CURLOPT_OPENSOCKETDATA, void *)
CCURL_EASY(close_socket_function, CURLOPT_CLOSESOCKETFUNCTION, curl_closesocket_callback)
CCURL_EASY(close_socket_data, CURLOPT_CLOSESOCKETDATA, void *)
CCURL_EASY(request_function, CURLOPT_PREREQFUNCTION, curl_prereq_callback)
CCURL_EASY(request_data, CURLOPT_PREREQDATA, void *)
CCURL_EASY(read_function, CURLOPT_READFUNCTION, curl_read_callback)
CCURL_EASY(read_data, CURLOPT_READDATA, void *)
CCURL_EASY(seek_function, CURLOPT_SEEKFUNCTION, curl_seek_callback)

#undef CCURL_EASY

#define CCURL_MULTI(name, option)                                             \
  static inline CURLMcode ccurl_multi_set_##name(CURLM *multi, long value) {  \
    return curl_multi_setopt(multi, option, value);                           \
  }

CCURL_MULTI(maximum_host_connections, CURLMOPT_MAX_HOST_CONNECTIONS)
CCURL_MULTI(maximum_total_connections, CURLMOPT_MAX_TOTAL_CONNECTIONS)
CCURL_MULTI(connection_cache_size, CURLMOPT_MAXCONNECTS)

#undef CCURL_MULTI

#define CCURL_INFO(name, info, type)                                          \
  static inline type ccurl_easy_get_##name(CURL *handle) {                    \
    type value = 0;                                                           \
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;   \
  }

CCURL_INFO(request_size, CURLINFO_REQUEST_SIZE, long)
CCURL_INFO(response_code, CURLINFO_RESPONSE_CODE, long)
CCURL_INFO(connect_code, CURLINFO_HTTP_CONNECTCODE, long)
CCURL_INFO(verify_result, CURLINFO_SSL_VERIFYRESULT, long)
CCURL_INFO(connect_count, CURLINFO_NUM_CONNECTS, long)
CCURL_INFO(http_version, CURLINFO_HTTP_VERSION, long)
CCURL_INFO(name_lookup_time, CURLINFO_NAMELOOKUP_TIME_T, curl_off_t)
CCURL_INFO(connect_time, CURLINFO_CONNECT_TIME_T, curl_off_t)
CCURL_INFO(tls_time, CURLINFO_APPCONNECT_TIME_T, curl_off_t)
CCURL_INFO(pretransfer_time, CURLINFO_PRETRANSFER_TIME_T, curl_off_t)
CCURL_INFO(first_byte_time, CURLINFO_STARTTRANSFER_TIME_T, curl_off_t)
CCURL_INFO(total_time, CURLINFO_TOTAL_TIME_T, curl_off_t)
CCURL_INFO(header_size, CURLINFO_HEADER_SIZE, long)
CCURL_INFO(download_size, CURLINFO_SIZE_DOWNLOAD_T, curl_off_t)
CCURL_INFO(upload_size, CURLINFO_SIZE_UPLOAD_T, curl_off_t)

#undef CCURL_INFO

// Compound macros, which Swift does not import.
static const long ccurl_tls_1_2 = CURL_SSLVERSION_TLSv1_2;
static const long ccurl_tls_1_3 = CURL_SSLVERSION_TLSv1_3;
static const long ccurl_http_1_0 = CURL_HTTP_VERSION_1_0;
static const long ccurl_http_1_1 = CURL_HTTP_VERSION_1_1;
static const long ccurl_http_2 = CURL_HTTP_VERSION_2_0;
static const long ccurl_http_2_over_tls = CURL_HTTP_VERSION_2TLS;
static const size_t ccurl_pause_writing = CURL_WRITEFUNC_PAUSE;
static const size_t ccurl_pause_reading = CURL_READFUNC_PAUSE;
static const int ccurl_pause_nothing = CURLPAUSE_CONT;
static const int ccurl_send_request = CURL_PREREQFUNC_OK;
static const int ccurl_send_no_request = CURL_PREREQFUNC_ABORT;
static const int ccurl_refuse_to_rewind = CURL_SEEKFUNC_FAIL;
static const size_t ccurl_error_size = CURL_ERROR_SIZE;
static const long ccurl_global_all = CURL_GLOBAL_ALL;

// Takes the next finished transfer off the multi handle's list. Returns 0 when there is none.
// The message itself does not survive curl_multi_remove_handle, so only its values leave here.
static inline int ccurl_multi_next_finished(CURLM *multi, CURL **handle, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *handle = message->easy_handle;
    *result = message->data.result;
    return 1;
  }
  return 0;
}

// OpenSSL frees its tables in an atexit handler. A thread that is inside libcurl at that moment
// uses freed memory and the process ends in a segmentation fault, after its work was done.
// (https://github.com/swiftlang/swift-corelibs-foundation/issues/5469)
// Weak, because libcurl may have been built on another TLS library, or on none. Apple's is, and
// Apple's linker wants even a weak symbol to be somewhere.
#if defined(__linux__)
extern int OPENSSL_init_crypto(uint64_t options, const void *settings) __attribute__((weak));
#endif

static inline void ccurl_keep_openssl_until_exit(void) {
#if defined(__linux__)
  const uint64_t no_atexit = 0x00080000;  // OPENSSL_INIT_NO_ATEXIT
  if (&OPENSSL_init_crypto != NULL) OPENSSL_init_crypto(no_atexit, NULL);
#endif
}

// OpenSSL writes to sockets without MSG_NOSIGNAL, and CURLOPT_NOSIGNAL does not cover that.
// A handler that the program has set itself is left alone.
static inline void ccurl_ignore_sigpipe(void) {
  struct sigaction current;
  if (sigaction(SIGPIPE, NULL, &current) == 0 && !(current.sa_flags & SA_SIGINFO)
      && current.sa_handler == SIG_DFL) {
    signal(SIGPIPE, SIG_IGN);
  }
}
