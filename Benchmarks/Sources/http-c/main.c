// What HTTP costs with libcurl and nothing above it: what CurlHTTP is compared with.
//
// Usage: http-c URL BODY-SIZE [REQUESTS CONCURRENCY], as HTTPWork has it. Without the last two
// one body is read and thrown away as it comes. Prints the nanoseconds, the processor's
// nanoseconds and the peak of memory in bytes.
//
// One multi handle and as many easy handles as there are requests at once, each set up once and
// used again: what a C programmer would write. The options are those that CurlHTTP sets, and
// libcurl's own limit of time where CurlHTTP has its own.

#include <curl/curl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CUsage.h"

struct transfer {
  CURL *easy;
  char error[CURL_ERROR_SIZE];
  char *body;
  size_t body_capacity;
  size_t body_size;
  size_t header_size;
};

static struct {
  const char *url;
  size_t body_size;
  bool streams;
  long concurrency;
} load;

static struct curl_slist *headers;

static void stop(const char *what, const char *message) {
  fprintf(stderr, "http-c: %s: %s\n", what, message);
  exit(1);
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *context) {
  struct transfer *transfer = context;
  size_t length = size * count;
  size_t end = transfer->body_size + length;
  if (!load.streams) {
    if (end > transfer->body_capacity) {
      char *body = realloc(transfer->body, 2 * end);
      if (body == NULL) return 0;
      transfer->body = body;
      transfer->body_capacity = 2 * end;
    }
    memcpy(transfer->body + transfer->body_size, bytes, length);
  }
  transfer->body_size = end;
  return length;
}

static size_t receive_header(char *bytes, size_t size, size_t count, void *context) {
  struct transfer *transfer = context;
  (void)bytes;
  transfer->header_size += size * count;
  return transfer->header_size > 64 * 1024 ? 0 : size * count;
}

#define SET(option, value)                                                            \
  do {                                                                                \
    CURLcode code = curl_easy_setopt(transfer->easy, CURLOPT_##option, value);        \
    if (code != CURLE_OK) stop(#option, curl_easy_strerror(code));                    \
  } while (0)

static void set_up(struct transfer *transfer) {
  transfer->easy = curl_easy_init();
  if (transfer->easy == NULL) stop("curl_easy_init", "no memory");
  SET(PRIVATE, transfer);
  SET(ERRORBUFFER, transfer->error);
  SET(WRITEDATA, transfer);
  SET(WRITEFUNCTION, receive_body);
  SET(HEADERDATA, transfer);
  SET(HEADERFUNCTION, receive_header);
  SET(NOSIGNAL, 1L);
  SET(QUICK_EXIT, 1L);
  SET(CONNECTTIMEOUT_MS, 10000L);
  SET(TIMEOUT_MS, load.streams ? 600000L : 30000L);
  SET(MAXAGE_CONN, 30L);
  SET(MAXLIFETIME_CONN, 600L);
  SET(SUPPRESS_CONNECT_HEADERS, 1L);
  SET(SSL_VERIFYPEER, 1L);
  SET(SSL_VERIFYHOST, 2L);
  SET(SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  SET(PROTOCOLS_STR, "http,https");
  SET(REDIR_PROTOCOLS_STR, "http,https");
  SET(FOLLOWLOCATION, 0L);
  SET(PATH_AS_IS, 1L);
  SET(URL, load.url);
  SET(DISALLOW_USERNAME_IN_URL, 1L);
  SET(PROXY, "");
  SET(NOPROXY, "");
  SET(MAXFILESIZE_LARGE, (curl_off_t)(load.streams ? load.body_size : 16 * 1024 * 1024));
  SET(HTTPGET, 1L);
  SET(HTTPHEADER, headers);
  SET(ACCEPT_ENCODING, "");
}

static void start(CURLM *multi, struct transfer *transfer) {
  transfer->body_size = 0;
  transfer->header_size = 0;
  CURLMcode code = curl_multi_add_handle(multi, transfer->easy);
  if (code != CURLM_OK) stop("curl_multi_add_handle", curl_multi_strerror(code));
}

// Takes a finished transfer off the multi handle; anything but what was expected ends the program.
static struct transfer *finish(CURLM *multi, CURLMsg *message) {
  CURL *easy = message->easy_handle;
  CURLcode code = message->data.result;
  struct transfer *transfer = NULL;
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  if (code != CURLE_OK) stop(curl_easy_strerror(code), transfer->error);
  if (status != 200) stop("wrong status", load.url);
  if (transfer->body_size != load.body_size) stop("wrong size of the body", load.url);
  curl_multi_remove_handle(multi, easy);
  return transfer;
}

static void run(CURLM *multi, struct transfer *transfers, long requests) {
  long begun = 0, ended = 0;
  while (begun < load.concurrency && begun < requests) start(multi, &transfers[begun++]);
  while (ended < requests) {
    int running, left;
    bool progressed = false;
    CURLMsg *message;
    CURLMcode code = curl_multi_perform(multi, &running);
    if (code != CURLM_OK) stop("curl_multi_perform", curl_multi_strerror(code));
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
      if (message->msg != CURLMSG_DONE) continue;
      struct transfer *transfer = finish(multi, message);
      progressed = true;
      ended++;
      if (begun < requests) {
        begun++;
        start(multi, transfer);
      }
    }
    if (!progressed && ended < requests) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
}

int main(int count, char **arguments) {
  if (count != 3 && count != 5) stop("usage", "http-c URL BODY-SIZE [REQUESTS CONCURRENCY]");
  long requests = count == 5 ? strtol(arguments[3], NULL, 10) : 1;
  load.url = arguments[1];
  load.body_size = strtoull(arguments[2], NULL, 10);
  load.streams = count == 3;
  load.concurrency = count == 5 ? strtol(arguments[4], NULL, 10) : 1;
  if (requests < 1 || load.concurrency < 1) stop("usage", "there is nothing to do");

  signal(SIGPIPE, SIG_IGN);
  if (curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK) stop("curl_global_init", "failed");
  headers = curl_slist_append(NULL, "Expect:");
  CURLM *multi = curl_multi_init();
  struct transfer *transfers = calloc((size_t)load.concurrency, sizeof *transfers);
  if (headers == NULL || multi == NULL || transfers == NULL) stop("set-up", "no memory");
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, load.concurrency);
  curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, load.concurrency);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, load.concurrency);
  for (long index = 0; index < load.concurrency; index++) set_up(&transfers[index]);

  // Opens the connections, which is not what is measured.
  if (!load.streams) run(multi, transfers, 4 * load.concurrency);
  uint64_t clock = cusage_clock_nanoseconds(), processor = cusage_cpu_nanoseconds();
  run(multi, transfers, requests);
  clock = cusage_clock_nanoseconds() - clock;
  processor = cusage_cpu_nanoseconds() - processor;
  printf("%" PRIu64 " %" PRIu64 " %zu\n", clock, processor, cusage_peak_bytes());

  for (long index = 0; index < load.concurrency; index++) {
    curl_easy_cleanup(transfers[index].easy);
    free(transfers[index].body);
  }
  curl_multi_cleanup(multi);
  curl_slist_free_all(headers);
  free(transfers);
  curl_global_cleanup();
  return 0;
}
