/// Sends HTTP requests over libcurl, any number at once, from any task or thread.
///
/// A client owns one thread, on which all of its connections live. Connections are kept and used
/// again, so a program wants one client, not one a request.
///
/// ```swift
/// let client = HTTPClient()
/// let response = try await client.send(HTTPRequest(.get, HTTPURL("https://example.com/posts")))
/// print(response.status, String(decoding: response.body, as: UTF8.self))
/// await client.shutdown()
/// ```
///
/// HTTP/2 is spoken over TLS where the server offers it; ``HTTPMetrics/version`` says what was.
/// Which proxy requests go through ``HTTPProxy`` says: by default the one of the environment.
///
/// A client that is released without ``shutdown()`` ends its thread as well, but later and unseen.
public final class HTTPClient: Sendable {
  private let loop: TransferLoop
  private let thread: LoopThread?
  private let exchanges: HTTPExchanges

  /// Creates a client and starts its thread.
  ///
  /// Should that fail, every ``send(_:)`` throws the reason.
  ///
  /// - Parameter configuration: The limits and the trust of the client.
  public init(configuration: Configuration = .init()) {
    var configuration = configuration
    // The environment is read here and not on the thread, which may run when the program already
    // changes it.
    configuration.certificateAuthorityFile =
      configuration.certificateAuthorityFile ?? LibCurl.environmentVariable("SSL_CERT_FILE")
    let proxies = ProxySettings(
      configuration.proxy, variable: LibCurl.environmentVariable)
    let loop = TransferLoop(configuration: configuration, proxies: proxies)
    self.loop = loop
    exchanges = HTTPExchanges(HTTPExchangeSettings(configuration: configuration))
    // The thread keeps the loop and not the client, whose release is what ends the thread.
    thread = LoopThread { loop.run() }
    if thread == nil { loop.close(.internalFailure("the system could not start a thread")) }
  }

  deinit { loop.stop() }

  /// Sends a request and returns the response with its whole body.
  ///
  /// Every status is a response, also 404 and 503. Redirects are followed as ``HTTPRedirects``
  /// says, and what fails for a moment is tried again as ``HTTPRetries`` says.
  /// A request waits inside the client while all connections to its host are busy, and its limits
  /// begin after that.
  ///
  /// Cancelling the task ends the transfer, or the pause before the next, at once. What changes
  /// something is never sent again once the server may have seen it, unless it has an
  /// `Idempotency-Key` header. For that reason it is sent on a new connection: one that was used
  /// before may have been closed meanwhile, and libcurl would send again by itself.
  ///
  /// - Parameter request: What to send.
  /// - Returns: The response.
  /// - Throws: ``HTTPClientError``, of the kind ``HTTPClientError/Kind/cancelled`` when the task
  ///   was cancelled.
  public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
    try await exchanges.perform(request) { await loop.perform($0) }.get()
  }

  /// Sends a request with a body that is read while it is sent, and returns the response with its
  /// whole body.
  ///
  /// ```swift
  /// let request = HTTPRequest(.put, url, headers: ["Content-Type": "video/mp4"])
  /// let response = try await client.send(request, uploading: file.chunks, length: file.size)
  /// ```
  ///
  /// The source is read from the moment the request is made, some hundred KiB ahead of what was
  /// sent, in a task of its own with the priority and task-local values of the caller. That task is
  /// cancelled when the request ends, with or without an answer; nobody waits for a source that
  /// ignores it. A server may answer before it has read the body: what it says is the response,
  /// and for a status of 400 and more the rest of the body is not sent.
  ///
  /// The body is there only once, so it is sent at most once, on a connection of its own: nothing is
  /// tried again, and a redirect is returned as the response that it is.
  ///
  /// - Parameters:
  ///   - request: What to send, without a body.
  ///   - body: The pieces of the body, of any size.
  ///   - length: How many bytes the body has, or nil to send it as it comes: in chunks in HTTP/1.1.
  ///     HTTP/1.0 servers need to know.
  /// - Returns: The response.
  /// - Throws: ``HTTPClientError``: of the kind ``HTTPClientError/Kind/uploadFailed`` and with its
  ///   ``HTTPClientError/cause`` when the source throws, and of the kind
  ///   ``HTTPClientError/Kind/uploadHasWrongLength(announced:given:)`` when it gives more or fewer
  ///   bytes than announced. The server never sees a whole request then.
  public func send<Source: AsyncSequence & Sendable>(
    _ request: HTTPRequest, uploading body: Source, length: Int? = nil
  ) async throws(HTTPClientError) -> HTTPResponse where Source.Element == [UInt8] {
    try await exchanges.performOnce(request) { request in
      await upload(
        TransferOrder(request, upload: RequestBodyBuffer(length: length)), from: body
      ).map(\.head)
    }.get()
  }

  /// Sends a request and returns the response as soon as its headers have come; its body is read
  /// as it comes.
  ///
  /// The request is treated as by ``send(_:)``. The response holds its connection slot until the
  /// body was read to its end or given up, so a program that keeps many responses unread has its
  /// other requests wait. It has its connection to itself and is asked for in HTTP/1.1. See ``HTTPLimits`` for which limits a stream has.
  ///
  /// - Parameter request: What to send.
  /// - Returns: The response.
  /// - Throws: ``HTTPClientError``, of the kind ``HTTPClientError/Kind/cancelled`` when the task
  ///   was cancelled. What happens after the headers is thrown by the body.
  public func stream(
    _ request: HTTPRequest
  ) async throws(HTTPClientError) -> HTTPStreamedResponse {
    try await exchanges.perform(request) { request in
      let order = TransferOrder(request, response: ResponseBodyBuffer())
      switch loop.reserve(order) {
      case .failure(let error):
        return .failure(error)
      case .success(let id):
        return await loop.perform(id, request).map { streamed(order, id: id, head: $0) }
      }
    }.get()
  }

  /// Sends a request with a body that is read while it is sent, and returns the response as soon as
  /// its headers have come.
  ///
  /// The request is treated as by ``send(_:uploading:length:)``, the response as by ``stream(_:)``.
  /// Where the server answers before it has read the body, both go on at once. The limit
  /// ``HTTPLimits/total`` counts until the headers have come, and the sending is part of that.
  ///
  /// - Parameters:
  ///   - request: What to send, without a body.
  ///   - body: The pieces of the body, of any size.
  ///   - length: How many bytes the body has, or nil to send it as it comes.
  /// - Returns: The response. An error of the source after the headers is thrown by its body.
  /// - Throws: ``HTTPClientError``, as from ``send(_:uploading:length:)``.
  public func stream<Source: AsyncSequence & Sendable>(
    _ request: HTTPRequest, uploading body: Source, length: Int? = nil
  ) async throws(HTTPClientError) -> HTTPStreamedResponse where Source.Element == [UInt8] {
    try await exchanges.performOnce(request) { request in
      let order = TransferOrder(
        request, response: ResponseBodyBuffer(), upload: RequestBodyBuffer(length: length))
      return await upload(order, from: body).map { id, head in
        streamed(order, id: id, head: head)
      }
    }.get()
  }

  /// Ends the client: requests under way fail, and the thread is gone when this returns.
  ///
  /// They fail, like every later request, with ``HTTPClientError/Kind/clientShutDown``. Shutting
  /// down twice, or from several tasks at once, is fine; each call returns after the end.
  public func shutdown() async {
    exchanges.shutDown()
    loop.stop()
    await loop.waitUntilClosed()
    thread?.join()
  }
}

extension HTTPClient {
  /// Sends a request while its body is read, and waits for the answer.
  private func upload<Source: AsyncSequence & Sendable>(
    _ order: TransferOrder, from body: Source
  ) async -> Result<(id: UInt64, head: HTTPResponse), HTTPClientError>
  where Source.Element == [UInt8] {
    do throws(HTTPClientError) {
      try order.validateUpload()
      if order.upload?.length == 0 { try await order.requireEmpty(body) }
      let loop = loop
      let id = try loop.reserve(order).get()
      // A source that was read to its end above is not begun again.
      if order.upload?.length != 0 {
        order.upload?.read(body) { event in loop.submit(.upload(id, event)) }
      }
      return .success((id, try await loop.perform(id, order.request).get()))
    } catch {
      order.upload?.close()
      return .failure(error)
    }
  }

  private func streamed(
    _ order: TransferOrder, id: UInt64, head: HTTPResponse
  ) -> HTTPStreamedResponse {
    guard let buffer = order.response else {
      preconditionFailure("A response that is collected has no reader.")
    }
    let reader = ResponseBodyReader(
      order.request, id: id, buffer: buffer, loop: loop, client: self)
    return HTTPStreamedResponse(head, body: reader)
  }
}
