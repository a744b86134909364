import TestSupport

@testable import CurlHTTP

/// Attempts that end as a test says, one after the other, without a network.
///
/// Time stands still but for what the test lets pass, and chance always takes the longest pause.
final class ScriptedAttempts: Sendable {
  let clock = ManualClock()
  let events = Recorder<HTTPEvent>()
  let sent = Recorder<HTTPRequest>()
  let exchanges: HTTPExchanges
  private let script: Box<[Result<HTTPResponse, HTTPClientError>]>

  init(
    _ script: [Result<HTTPResponse, HTTPClientError>],
    change: (inout HTTPClient.Configuration) -> Void = { _ in }
  ) {
    self.script = Box(script)
    let events = events
    var configuration = HTTPClient.Configuration(
      limits: HTTPLimits(total: .seconds(100)), clock: clock, observer: { events.record($0) })
    change(&configuration)
    exchanges = HTTPExchanges(
      HTTPExchangeSettings(
        configuration: configuration, jitter: { 1 }, now: { 1_000 }, idempotencyKey: { "key-1" }))
  }

  /// Performs a request; each attempt takes this much of the clock's time.
  func perform(
    _ request: HTTPRequest, attemptsTake duration: Duration = .zero
  ) async -> Result<HTTPResponse, HTTPClientError> {
    await exchanges.perform(request) { request in
      sent.record(request)
      clock.advance(by: duration)
      var rest = script.value
      guard !rest.isEmpty else {
        return .failure(HTTPClientError(.internalFailure("the script is over"), request: request))
      }
      let result = rest.removeFirst()
      script.value = rest
      return result
    }
  }

  /// Performs a request and lets each pause pass.
  func performThroughPauses(
    _ request: HTTPRequest, pauses: [Duration]
  ) async -> Result<HTTPResponse, HTTPClientError> {
    async let result = perform(request)
    for (index, pause) in pauses.enumerated() {
      await clock.waitForSleeps(index + 1)
      clock.advance(by: pause)
    }
    return await result
  }
}

extension Result<HTTPResponse, HTTPClientError> {
  static func status(_ status: Int, _ headers: HTTPHeaders = [:]) -> Self {
    .success(HTTPResponse(status: status, headers: headers))
  }

  static func error(_ kind: HTTPClientError.Kind, mayHaveReachedServer: Bool = false) -> Self {
    .failure(HTTPClientError(kind, mayHaveReachedServer: mayHaveReachedServer))
  }

  var error: HTTPClientError? {
    guard case .failure(let error) = self else { return nil }
    return error
  }

  var response: HTTPResponse? { try? get() }
}
