import CCurl

/// One transfer as libcurl sees it.
@safe
final class CurlEasy {
  /// The identity of the request, for whoever gets the finished transfer back.
  let id: UInt64
  let handle: UnsafeMutableRawPointer
  private let sockets: CurlSockets
  /// Whether it may get a connection that something used before it.
  private let mayReuseConnection: Bool
  /// The port on this side of the connection that carries the request, once there is one.
  private var port: Int?
  /// Whether it was about to be sent on a connection over which something had come unasked.
  private(set) var foundStaleConnection = false
  private let errorBuffer: UnsafeMutablePointer<CChar>
  var headerList: UnsafeMutablePointer<curl_slist>?
  private unowned let receiver: any CurlReceiver
  var address: UInt { unsafe UInt(bitPattern: handle) }
  /// The header line that came last; one buffer for all of them.
  private var line: [UInt8] = []
  /// What has come of the body since it was last taken, decompressed.
  private var body: [UInt8] = []

  /// Sets up a transfer.
  ///
  /// The receiver must outlive it, and the sockets the connection.
  init(
    _ order: TransferOrder, limits: HTTPLimits, proxy: String?,
    configuration: HTTPClient.Configuration, id: UInt64, receiver: any CurlReceiver,
    sockets: CurlSockets
  ) throws(CurlSetupError) {
    guard let handle = unsafe curl_easy_init() else {
      throw LibCurl.failure(CURLE_OUT_OF_MEMORY, "curl_easy_init")
    }
    unsafe self.handle = unsafe handle
    unsafe errorBuffer = .allocate(capacity: ccurl_error_size)
    unsafe errorBuffer.initialize(repeating: 0, count: ccurl_error_size)
    self.id = id
    self.receiver = receiver
    self.sockets = sockets
    mayReuseConnection = !order.needsNewConnection
    try setCallbacks()
    try setSocketCallbacks()
    try setTransport(limits: limits)
    try setTLS(configuration)
    try setTarget(order.request.url, proxy: proxy)
    try setMethod(order, limits: limits)
    try setHeaders(order.request)
  }

  deinit {
    unsafe curl_easy_cleanup(handle)  // 4
    unsafe curl_slist_free_all(headerList)
    unsafe errorBuffer.deallocate()
  }

  /// What came of the body since the last call, given away without a copy.
  func takeBody() -> [UInt8] {
    defer { body = [] }
    return body
  }

  /// Lets what a callback has paused go on, in both directions.
  ///
  /// Callbacks may come from in here, and may pause again.
  func resume() {
    // An error shows as the end of the transfer, from `CurlMulti.nextFinished`.
    _ = unsafe curl_easy_pause(handle, ccurl_pause_nothing)  // 3
  }

  func check(_ code: CURLcode, _ option: String) throws(CurlSetupError) {
    guard code == CURLE_OK else { throw LibCurl.failure(code, option) }
  }
}

extension CurlEasy {
  /// How the transfer ended, or, with the code of success, how far it has come.
  func outcome(_ code: CURLcode = CURLE_OK) -> TransferOutcome {
    let message = unsafe String(cString: errorBuffer)
    return unsafe TransferOutcome(
      code: Int(code.rawValue),
      message: code == CURLE_OK || !message.isEmpty ? message : LibCurl.text(for: code),
      verifyResult: ccurl_easy_get_verify_result(handle),
      requestSize: ccurl_easy_get_request_size(handle),
      responseBegan: ccurl_easy_get_response_code(handle) != 0,
      tunnelStatus: ccurl_easy_get_connect_code(handle),
      elapsed: .microseconds(ccurl_easy_get_total_time(handle)),
      bytesReceived: Int(ccurl_easy_get_download_size(handle)))
  }

  /// Where the time of the transfer went so far, and how many bytes it moved.
  var metrics: HTTPMetrics {
    unsafe HTTPMetrics(
      nameLookupEnd: Int(ccurl_easy_get_name_lookup_time(handle)),
      connectEnd: Int(ccurl_easy_get_connect_time(handle)),
      tlsEnd: Int(ccurl_easy_get_tls_time(handle)),
      firstByte: Int(ccurl_easy_get_first_byte_time(handle)),
      total: Int(ccurl_easy_get_total_time(handle)),
      bytesSent: ccurl_easy_get_request_size(handle) + Int(ccurl_easy_get_upload_size(handle)),
      bytesReceived: ccurl_easy_get_header_size(handle)
        + Int(ccurl_easy_get_download_size(handle)),
      newConnections: ccurl_easy_get_connect_count(handle),
      version: httpVersion)
  }

  /// The version of the protocol that the server answered in; nil before it did.
  private var httpVersion: HTTPMetrics.Version? {
    switch unsafe ccurl_easy_get_http_version(handle) {
    case ccurl_http_1_0: .http1_0
    case ccurl_http_1_1: .http1_1
    case ccurl_http_2: .http2
    default: nil
    }
  }

  /// How far the transfer has come, for its time limits.
  var progress: TransferTimer.Progress {
    unsafe TransferTimer.Progress(
      connected: ccurl_easy_get_pretransfer_time(handle) > 0
        ? .microseconds(ccurl_easy_get_pretransfer_time(handle)) : nil,
      bytes: Int(ccurl_easy_get_upload_size(handle)) + Int(ccurl_easy_get_download_size(handle))
        + ccurl_easy_get_header_size(handle))
  }
}

extension CurlEasy {
  private func setCallbacks() throws(CurlSetupError) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()  // 3
    try unsafe check(ccurl_easy_set_error_buffer(handle, errorBuffer), "ERRORBUFFER")
    try unsafe check(ccurl_easy_set_write_data(handle, context), "WRITEDATA")
    try unsafe check(
      ccurl_easy_set_write_function(handle) { bytes, size, count, context in
        unsafe CurlEasy.from(context)?.receiveBody(
          UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      }, "WRITEFUNCTION")
    try unsafe check(ccurl_easy_set_header_data(handle, context), "HEADERDATA")
    try unsafe check(
      ccurl_easy_set_header_function(handle) { bytes, size, count, context in
        unsafe CurlEasy.from(context)?.receiveHeaderLine(
          UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      }, "HEADERFUNCTION")
    try unsafe check(ccurl_easy_set_read_data(handle, context), "READDATA")
    try unsafe check(
      ccurl_easy_set_read_function(handle) { room, size, count, context in
        unsafe CurlEasy.from(context)?.giveBody(
          UnsafeMutableRawBufferPointer(start: room, count: size * count)) ?? 0
      }, "READFUNCTION")
    // What was streamed once is gone; libcurl asks for this before it would send a body again.
    try unsafe check(
      ccurl_easy_set_seek_function(handle) { _, _, _ in ccurl_refuse_to_rewind }, "SEEKFUNCTION")
  }

  private func setSocketCallbacks() throws(CurlSetupError) {
    let context = unsafe Unmanaged.passUnretained(sockets).toOpaque()  // 7
    try unsafe check(ccurl_easy_set_open_socket_data(handle, context), "OPENSOCKETDATA")
    try unsafe check(
      ccurl_easy_set_open_socket_function(handle) { context, _, address in
        guard let context = unsafe context, let address = unsafe address else { return -1 }
        return unsafe Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().open(
          family: address.pointee.family, type: address.pointee.socktype,
          protocol: address.pointee.protocol)
      }, "OPENSOCKETFUNCTION")
    try unsafe check(ccurl_easy_set_close_socket_data(handle, context), "CLOSESOCKETDATA")
    try unsafe check(
      ccurl_easy_set_close_socket_function(handle) { context, descriptor in
        guard let context = unsafe context else { return -1 }
        return unsafe Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().close(
          descriptor)
      }, "CLOSESOCKETFUNCTION")
    try unsafe check(
      ccurl_easy_set_request_data(handle, Unmanaged.passUnretained(self).toOpaque()),  // 3
      "PREREQDATA")
    try unsafe check(
      ccurl_easy_set_request_function(handle) { context, _, _, _, port in
        unsafe CurlEasy.from(context)?.mayUseConnection(from: Int(port)) == true
          ? ccurl_send_request : ccurl_send_no_request
      }, "PREREQFUNCTION")
  }

  private func mayUseConnection(from port: Int) -> Bool {
    self.port = port
    // Not of a new one, which may come from the port of a stale one: that would go on for ever.
    foundStaleConnection = mayReuseConnection && sockets.isStale(port: port)
    return !foundStaleConnection
  }

  /// The response has come, in some version of HTTP/1: before the next request nothing may come.
  func noteServed() {
    if let port { sockets.noteServed(port: port) }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> CurlEasy? {
    unsafe context.map { unsafe Unmanaged<CurlEasy>.fromOpaque($0).takeUnretainedValue() }  // 3
  }

  private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch receiver.receiveBody(count: bytes.count) {
    case .proceed:
      unsafe body.append(contentsOf: bytes)  // 5
      return bytes.count
    case .pause: return ccurl_pause_writing
    case .refuse: return CurlEasy.refusal(of: bytes.count)
    }
  }

  private func receiveHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Int {
    line.removeAll(keepingCapacity: true)
    unsafe line.append(contentsOf: bytes)  // 5
    return receiver.receiveHeaderLine(line) ? bytes.count : CurlEasy.refusal(of: bytes.count)
  }

  /// Anything but the count ends the transfer, so an empty delivery must not be refused with 0.
  private static func refusal(of count: Int) -> Int { count == 0 ? 1 : 0 }

  private func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
    switch receiver.nextUpload(limit: room.count) {
    case .bytes(let bytes):
      unsafe room.copyBytes(from: bytes.prefix(room.count))  // 5
      return min(bytes.count, room.count)
    case .pause: return ccurl_pause_reading
    case .end: return 0
    }
  }
}
