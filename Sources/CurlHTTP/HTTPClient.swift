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
/// The variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` are read once, when the
/// client is made, and count as curl documents; the last three in capitals as well. Loopback is
/// never reached through a proxy.
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
    let proxies = ProxySettings(variable: LibCurl.environmentVariable)
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
