/// A request, and where the bodies go to and come from when they are streamed.
struct TransferOrder: Sendable {
  var request: HTTPRequest
  /// Where the body of the response goes; nil when it is collected.
  var response: ResponseBodyBuffer?
  /// Where the body of the request comes from; nil when the request holds it.
  var upload: RequestBodyBuffer?
  /// Whether a connection that was used before was found unfit for it.
  var avoidsReuse = false

  init(
    _ request: HTTPRequest, response: ResponseBodyBuffer? = nil, upload: RequestBodyBuffer? = nil
  ) {
    self.request = request
    self.response = response
    self.upload = upload
  }

  /// Whether it must have a connection that nothing used before it.
  ///
  /// libcurl sends a request again by itself, and reports nothing, when a reused connection closes
  /// before an answer. A connection of its own is the one way to prevent that
  /// (https://github.com/curl/curl/pull/18417). A body that is streamed is there only once, so it
  /// must not be begun on a connection that is about to close. A key that the server may know does
  /// not change that: how often a request is sent is for ``HTTPRetries`` to say.
  var needsNewConnection: Bool { !request.method.isSafe || upload != nil || avoidsReuse }

  /// Whether it may be one of several on a connection at the same time.
  ///
  /// Before 8.1, libcurl reads nothing more from a connection of HTTP/2 while one of its streams is
  /// paused, so a reader who takes their time would hold up requests that they may wait for.
  var canShareConnection: Bool { !needsNewConnection && response == nil }

  /// Refuses a body that no request can have; nothing was sent.
  func validateUpload() throws(HTTPClientError) {
    guard let upload else { return }
    var fault: String?
    if !request.method.allowsBody { fault = "A \(request.method) request cannot have a body." }
    if !request.body.isEmpty {
      fault = "The request has a body and is to be given another; leave its own empty."
    }
    if let length = upload.length, length < 0 {
      fault = "A body of \(length) bytes was announced; for an unknown length announce none."
    }
    if let fault { throw HTTPClientError(.invalidRequest(fault), request: request) }
  }

  /// Reads a source that was announced to give nothing.
  ///
  /// Without a byte to hold back, the server would have a whole request before the source has ended.
  func requireEmpty<Source: AsyncSequence>(
    _ source: Source
  ) async throws(HTTPClientError) where Source.Element == [UInt8] {
    var failure: HTTPClientError?
    do {
      for try await piece in source where !piece.isEmpty {
        let kind = HTTPClientError.Kind.uploadHasWrongLength(announced: 0, given: piece.count)
        failure = HTTPClientError(kind, request: request)
        break
      }
    } catch {
      failure = HTTPClientError(.uploadFailed, request: request)
      failure?.cause = error
    }
    if let failure { throw failure }
  }
}
