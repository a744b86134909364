import Synchronization

/// All exchanges of a client: numbers them, and ends their pauses when the client ends.
final class HTTPExchanges: Sendable {
  private let settings: HTTPExchangeSettings
  private let pauses = HTTPPauses()
  private let lastNumber = Atomic<UInt64>(0)

  init(_ settings: HTTPExchangeSettings) { self.settings = settings }

  /// Performs a request: with one attempt, or with as many as redirects and retries take.
  ///
  /// - Parameters:
  ///   - request: What the caller asked for; what must not be sent is refused here.
  ///   - attempt: Sends a request once.
  /// - Returns: What the caller gets.
  func perform<Response: HTTPExchangeResponse>(
    _ request: HTTPRequest, attempt: (HTTPRequest) async -> Result<Response, HTTPClientError>
  ) async -> Result<Response, HTTPClientError> {
    do throws(HTTPClientError) {
      try request.validate(limits: settings.configuration.limits)
    } catch {
      return .failure(error)
    }
    var exchange = HTTPExchange(
      request, number: lastNumber.add(1, ordering: .relaxed).newValue, settings: settings,
      pauses: pauses, isStreamed: Response.isStreamed)
    return await exchange.run(attempt)
  }

  /// Performs a request whose body is there only once: with one attempt.
  func performOnce<Response: HTTPExchangeResponse>(
    _ request: HTTPRequest, attempt: (HTTPRequest) async -> Result<Response, HTTPClientError>
  ) async -> Result<Response, HTTPClientError> {
    var request = request
    request.redirects = .never
    request.retries = .never
    return await perform(request, attempt: attempt)
  }

  /// Ends the pauses between attempts; attempts are ended by who makes them.
  func shutDown() { pauses.shutDown() }
}
