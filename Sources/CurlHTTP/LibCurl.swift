import CCurl

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// Every call to libcurl is in this file, and with it every `unsafe` of this module but those that
// `LoopThread` needs. It is sound for these reasons, to which the code refers by number:
//
// 1. One thread. `CurlMulti` and `CurlEasy` are not Sendable. They are made in the function that
//    the loop thread runs and never leave it, so each handle is used by one thread only, which is
//    what libcurl-thread(3) asks for.
// 2. The one exception, `CurlWakeup`, calls nothing but curl_multi_wakeup, which "can be called
//    from any thread" while the multi handle lives. `close` takes the pointer away under the lock
//    that `wake` holds for its call, and `CurlMulti.deinit` closes before it cleans up.
// 3. Callbacks. libcurl calls them inside `perform` only, thus on the loop thread. Their context is
//    an unretained `CurlEasy`, which `CurlMulti.active` keeps alive from `add` to `remove`. They
//    call no libcurl function; libcurl would refuse it.
// 4. Order of release. An easy handle is removed from its multi handle before it is cleaned up
//    (`active` holds it till then); the error buffer and the header list, which libcurl reads until
//    the cleanup, are freed after it; the multi handle goes last.
// 5. Copies. libcurl copies every string option; the body is copied by COPYPOSTFIELDS, whose size
//    is set before it. What a callback is given is copied before it returns.
// 6. The environment is read with getenv when a client is made, and copied at once. A program that
//    calls setenv at that moment on another thread has a data race of its own making.

/// The process-wide side of libcurl.
enum LibCurl {
  /// Prepares libcurl once for the process; nil when it is ready.
  ///
  /// It is never undone: curl_global_cleanup must not run while any thread may use libcurl, and
  /// only the program could know.
  static let setupError: CurlSetupError? = {
    ccurl_keep_openssl_until_exit()
    let code = curl_global_init(ccurl_global_all)
    // After libcurl, which does the same only around its own calls.
    ccurl_ignore_sigpipe()
    return code == CURLE_OK ? nil : failure(code, "curl_global_init")
  }()

  /// The value of an environment variable, or nil if it is not set or empty.
  static func environmentVariable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }  // 6
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  static func failure(_ code: CURLcode, _ what: String) -> CurlSetupError {
    CurlSetupError(code: Int(code.rawValue), message: text(for: code), what: what)
  }

  static func text(for code: CURLcode) -> String {
    unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? ""
  }
}

/// Wakes the loop thread out of `CurlMulti.poll`, from any thread.
final class CurlWakeup: Sendable {
  private let address: Lock<UInt?>

  fileprivate init(_ multi: UnsafeMutableRawPointer) { address = Lock(UInt(bitPattern: multi)) }

  /// Ends the current poll, or the next; does nothing once the handle is closed.
  func wake() {
    address.withLock { address in
      guard let address else { return }
      _ = unsafe curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: address))  // 2
    }
  }

  fileprivate func close() { address.withLock { $0 = nil } }
}

/// The transfers that libcurl works on, with their connections.
@safe
final class CurlMulti {
  private let multi: UnsafeMutableRawPointer
  private var active: [UInt: CurlEasy] = [:]
  let wakeup: CurlWakeup

  init(connectionsPerHost: Int, connections: Int) throws(CurlSetupError) {
    if let error = LibCurl.setupError { throw error }
    guard let multi = unsafe curl_multi_init() else {
      throw LibCurl.failure(CURLE_OUT_OF_MEMORY, "curl_multi_init")
    }
    unsafe self.multi = unsafe multi
    wakeup = unsafe CurlWakeup(multi)
    // `ConnectionSlots` admits no more requests than this; here idle connections count as well.
    unsafe ccurl_multi_set_maximum_host_connections(multi, connectionsPerHost)
    unsafe ccurl_multi_set_maximum_total_connections(multi, connections)
    unsafe ccurl_multi_set_connection_cache_size(multi, connections)
  }

  deinit {
    for easy in active.values { unsafe curl_multi_remove_handle(multi, easy.handle) }
    active = [:]  // 4
    wakeup.close()  // 2
    unsafe curl_multi_cleanup(multi)
  }

  /// Begins a transfer; its callbacks come from `perform`.
  func add(_ easy: CurlEasy) throws(CurlSetupError) {
    active[easy.address] = easy
    let code = unsafe curl_multi_add_handle(multi, easy.handle)
    guard code == CURLM_OK else {
      active[easy.address] = nil
      let message = unsafe curl_multi_strerror(code).map { unsafe String(cString: $0) } ?? ""
      throw CurlSetupError(code: Int(code.rawValue), message: message, what: "add_handle")
    }
  }

  /// Ends a transfer, finished or not.
  ///
  /// No callback of it comes afterwards.
  func remove(_ easy: CurlEasy) {
    unsafe curl_multi_remove_handle(multi, easy.handle)
    active[easy.address] = nil
  }

  /// Does what can be done without waiting.
  func perform() {
    var running: Int32 = 0
    unsafe curl_multi_perform(multi, &running)
  }

  /// The next transfer that is over, removed, with its outcome; nil when there is none.
  func nextFinished() -> (easy: CurlEasy, outcome: TransferOutcome)? {
    var handle: UnsafeMutableRawPointer?
    var code = CURLE_OK
    while unsafe ccurl_multi_next_finished(multi, &handle, &code) != 0 {
      guard let easy = active[UInt(bitPattern: handle)] else { continue }
      let outcome = easy.outcome(code)
      remove(easy)
      return (easy, outcome)
    }
    return nil
  }

  /// Waits for the network, for `wakeup`, or for the time to pass.
  func poll(milliseconds: Int32) {
    unsafe curl_multi_poll(multi, nil, 0, milliseconds, nil)
  }
}

/// One transfer as libcurl sees it.
@safe
final class CurlEasy {
  /// The identity of the request, for whoever gets the finished transfer back.
  let id: UInt64
  fileprivate let handle: UnsafeMutableRawPointer
  private let errorBuffer: UnsafeMutablePointer<CChar>
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private unowned let receiver: any CurlReceiver
  fileprivate var address: UInt { unsafe UInt(bitPattern: handle) }
  /// What has come of the body, decompressed.
  private var body: [UInt8] = []

  /// Sets up a transfer.
  ///
  /// The receiver must outlive it.
  init(
    _ request: HTTPRequest, limits: HTTPLimits, proxy: String?, certificateAuthorityFile: String?,
    id: UInt64, receiver: any CurlReceiver
  ) throws(CurlSetupError) {
    guard let handle = unsafe curl_easy_init() else {
      throw LibCurl.failure(CURLE_OUT_OF_MEMORY, "curl_easy_init")
    }
    unsafe self.handle = unsafe handle
    unsafe errorBuffer = .allocate(capacity: ccurl_error_size)
    unsafe errorBuffer.initialize(repeating: 0, count: ccurl_error_size)
    self.id = id
    self.receiver = receiver
    try setCallbacks()
    try setTransport(limits: limits, certificateAuthorityFile: certificateAuthorityFile)
    try setTarget(request.url, proxy: proxy)
    try setMethod(request, limits: limits)
    try setHeaders(request)
  }

  deinit {
    unsafe curl_easy_cleanup(handle)  // 4
    unsafe curl_slist_free_all(headerList)
    unsafe errorBuffer.deallocate()
  }

  /// How far the transfer has come, or how it ended.
  func outcome(_ code: CURLcode = CURLE_OK) -> TransferOutcome {
    let message = unsafe String(cString: errorBuffer)
    return unsafe TransferOutcome(
      code: Int(code.rawValue),
      message: code == CURLE_OK || !message.isEmpty ? message : LibCurl.text(for: code),
      verifyResult: ccurl_easy_get_verify_result(handle),
      requestSize: ccurl_easy_get_request_size(handle),
      responseBegan: ccurl_easy_get_response_code(handle) != 0,
      wasConnected: ccurl_easy_get_pretransfer_time(handle) > 0,
      elapsed: .microseconds(ccurl_easy_get_total_time(handle)),
      bytesReceived: Int(ccurl_easy_get_download_size(handle)))
  }

  /// The body, given away without a copy.
  func takeBody() -> [UInt8] {
    defer { body = [] }
    return body
  }

  private func check(_ code: CURLcode, _ option: String) throws(CurlSetupError) {
    guard code == CURLE_OK else { throw LibCurl.failure(code, option) }
  }
}

extension CurlEasy {
  private func setCallbacks() throws(CurlSetupError) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()  // 3
    try unsafe check(ccurl_easy_set_error_buffer(handle, errorBuffer), "ERRORBUFFER")
    try unsafe check(ccurl_easy_set_write_data(handle, context), "WRITEDATA")
    try unsafe check(
      ccurl_easy_set_write_function(handle) { bytes, size, count, context in
        unsafe CurlEasy.deliver(bytes, size * count, context) { easy, bytes in
          guard easy.receiver.receiveBody(count: bytes.count) else { return false }
          unsafe easy.body.append(contentsOf: bytes)
          return true
        }
      }, "WRITEFUNCTION")
    try unsafe check(ccurl_easy_set_header_data(handle, context), "HEADERDATA")
    try unsafe check(
      ccurl_easy_set_header_function(handle) { bytes, size, count, context in
        unsafe CurlEasy.deliver(bytes, size * count, context) { easy, bytes in
          unsafe easy.receiver.receiveHeaderLine([UInt8](bytes))
        }
      }, "HEADERFUNCTION")
  }

  /// Hands bytes to a callback's transfer and says in libcurl's way whether to go on.
  private static func deliver(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    to receive: (CurlEasy, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let context = unsafe context else { return 0 }
    let easy = unsafe Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()  // 3
    let goesOn = unsafe receive(easy, UnsafeRawBufferPointer(start: bytes, count: count))
    // Anything but the count ends the transfer, so an empty delivery must not be refused with 0.
    return goesOn ? count : count == 0 ? 1 : 0
  }

  private func setTransport(
    limits: HTTPLimits, certificateAuthorityFile: String?
  ) throws(CurlSetupError) {
    try unsafe check(ccurl_easy_set_no_signal(handle, 1), "NOSIGNAL")
    // Without it, giving up on a name that is being looked up blocks the loop until the answer.
    try unsafe check(ccurl_easy_set_quick_exit(handle, 1), "QUICK_EXIT")
    try unsafe check(
      ccurl_easy_set_connect_timeout_ms(handle, limits.connect.limitInMilliseconds),
      "CONNECTTIMEOUT_MS")
    try unsafe check(
      ccurl_easy_set_timeout_ms(handle, limits.total.limitInMilliseconds), "TIMEOUT_MS")
    try unsafe check(ccurl_easy_set_maximum_connection_age(handle, 30), "MAXAGE_CONN")
    // A certificate is looked at once a connection; one that expires must not live on in it.
    try unsafe check(ccurl_easy_set_maximum_connection_lifetime(handle, 600), "MAXLIFETIME_CONN")
    // PIPEWAIT stays off: a transfer that waits for another's connection has no time limit.
    try unsafe check(ccurl_easy_set_suppress_connect_headers(handle, 1), "SUPPRESS_CONNECT_HEADERS")
    try unsafe check(ccurl_easy_set_verify_peer(handle, 1), "SSL_VERIFYPEER")
    try unsafe check(ccurl_easy_set_verify_host(handle, 2), "SSL_VERIFYHOST")
    try unsafe check(ccurl_easy_set_tls_version(handle, ccurl_tls_1_2), "SSLVERSION")
    if let certificateAuthorityFile {
      try unsafe check(ccurl_easy_set_ca_file(handle, certificateAuthorityFile), "CAINFO")
      // A libcurl that was built with a default folder of authorities would trust those as well.
      try unsafe check(ccurl_easy_set_ca_directory(handle, nil), "CAPATH")
    }
  }

  private func setTarget(_ url: HTTPURL, proxy: String?) throws(CurlSetupError) {
    try unsafe check(ccurl_easy_set_protocols(handle, "http,https"), "PROTOCOLS_STR")
    try unsafe check(ccurl_easy_set_redirect_protocols(handle, "http,https"), "REDIR_PROTOCOLS_STR")
    try unsafe check(ccurl_easy_set_follow_location(handle, 0), "FOLLOWLOCATION")
    // HTTPURL has resolved dot segments; what is left is meant.
    try unsafe check(ccurl_easy_set_path_as_is(handle, 1), "PATH_AS_IS")
    try unsafe check(ccurl_easy_set_url(handle, url.requestText), "URL")
    try unsafe check(ccurl_easy_set_disallow_username_in_url(handle, 1), "DISALLOW_USERNAME_IN_URL")
    if let credentials = url.credentials {
      try unsafe check(ccurl_easy_set_username(handle, credentials.user), "USERNAME")
      try unsafe check(ccurl_easy_set_password(handle, credentials.password), "PASSWORD")
    }
    // An empty text keeps libcurl from reading the environment and deciding otherwise.
    try unsafe check(ccurl_easy_set_proxy(handle, proxy ?? ""), "PROXY")
    try unsafe check(ccurl_easy_set_no_proxy(handle, ""), "NOPROXY")
  }

  private func setMethod(_ request: HTTPRequest, limits: HTTPLimits) throws(CurlSetupError) {
    if !request.isRepeatable {
      // libcurl sends a request again by itself, and reports nothing, when a reused connection
      // closes before an answer. A connection of its own is the one way to prevent that
      // (https://github.com/curl/curl/pull/18417).
      try unsafe check(ccurl_easy_set_fresh_connect(handle, 1), "FRESH_CONNECT")
    }
    if request.method != .head {
      try unsafe check(
        ccurl_easy_set_maximum_file_size(handle, curl_off_t(limits.bodySize)), "MAXFILESIZE_LARGE")
    }
    switch request.method {
    case .get:
      try unsafe check(ccurl_easy_set_http_get(handle, 1), "HTTPGET")
    case .head:
      try unsafe check(ccurl_easy_set_no_body(handle, 1), "NOBODY")
    case .delete where request.body.isEmpty:
      try unsafe check(ccurl_easy_set_custom_request(handle, "DELETE"), "CUSTOMREQUEST")
    case .post, .put, .patch, .delete:
      try unsafe check(ccurl_easy_set_post(handle, 1), "POST")
      try unsafe check(
        ccurl_easy_set_post_size(handle, curl_off_t(request.body.count)), "POSTFIELDSIZE_LARGE")
      let code = unsafe request.body.withUnsafeBytes { bytes in
        // An empty array may have no address, and libcurl would then read from its read callback.
        unsafe bytes.isEmpty
          ? ccurl_easy_set_copy_post_fields(handle, "")
          : ccurl_easy_set_copy_post_fields(handle, bytes.baseAddress)  // 5
      }
      try check(code, "COPYPOSTFIELDS")
      if request.method != .post {
        try unsafe check(
          ccurl_easy_set_custom_request(handle, request.method.rawValue), "CUSTOMREQUEST")
      }
    }
  }

  private func setHeaders(_ request: HTTPRequest) throws(CurlSetupError) {
    // "Name;" is an empty value, "Name:" takes a header of libcurl's own away.
    var lines = request.headers.fields.map { field in
      // The space around a value is not part of it, and a value of nothing else is empty.
      let value = Substring(field.value.utf8.withoutSpaceAround)
      return value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"
    }
    // Otherwise a body of more than 1 MB waits a second for a server that does not know it.
    lines.append("Expect:")
    if request.method.allowsBody && request.headers["Content-Type"] == nil {
      lines.append("Content-Type:")
    }
    for line in lines {
      guard let longer = unsafe curl_slist_append(headerList, line) else {
        throw LibCurl.failure(CURLE_OUT_OF_MEMORY, "curl_slist_append")
      }
      unsafe headerList = unsafe longer
    }
    try unsafe check(ccurl_easy_set_headers(handle, headerList), "HTTPHEADER")
    try unsafe check(ccurl_easy_set_accept_encoding(handle, ""), "ACCEPT_ENCODING")
  }
}
