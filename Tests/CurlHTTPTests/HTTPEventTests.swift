import TestSupport
import Testing

@testable import CurlHTTP

@Suite(.timeLimit(.minutes(5)))
struct HTTPEventTests {
  @Test func `H14: each step is told, in order, as a line for a log`() async throws {
    let attempts = ScriptedAttempts([
      .status(503, ["Retry-After": "2"]), .error(.connectionLost, mayHaveReachedServer: true),
      .status(302, ["Location": "/b?token=s3cret"]), .status(429, ["Retry-After": "3600"]),
    ])
    let request = HTTPRequest(.get, try HTTPURL("http://ada:s3cret@h/a"))
    let response = await attempts.performThroughPauses(request, pauses: [.seconds(2), .seconds(1)])
      .response
    #expect(response?.status == 429)
    #expect(
      attempts.events.values.map(\.description) == [
        "#1 GET http://h/a: attempt 1",
        "#1 GET http://h/a: status 503 after 0.0 seconds",
        "#1 GET http://h/a: attempt 2 follows in 2.0 seconds, because the status was 503 and the "
          + "server asks for a pause of 2.0 seconds",
        "#1 GET http://h/a: attempt 2",
        "#1 after 0.0 seconds: The request failed: the connection was lost on the way. The server "
          + "or something between closed it; try again later. It was tried 2 times.",
        "#1 GET http://h/a: attempt 3 follows in 1.0 seconds, because of that error",
        "#1 GET http://h/a: attempt 3",
        "#1 GET http://h/a: status 302 after 0.0 seconds",
        "#1 GET http://h/a: redirected with status 302 to http://h/b?token=***",
        "#1 GET http://h/b?token=***: attempt 3",
        "#1 GET http://h/b?token=***: status 429 after 0.0 seconds",
        "#1 GET http://h/b?token=***: not tried again, because that was the last attempt",
      ])
  }

  @Test func `H14: every obstacle and reason reads as the end of a sentence`() {
    let obstacles: [HTTPRetryObstacle] = [
      .attemptsUsedUp, .notRepeatable, .serverAsksForMore(.seconds(3_600)), .totalLimit,
    ]
    #expect(
      obstacles.map(\.description) == [
        "that was the last attempt",
        "the server may have carried it out already; with an Idempotency-Key it could be sent "
          + "again",
        "the server asks for a pause of 3600.0 seconds, which is more than allowed",
        "the total limit would end before the pause does",
      ])
    let reasons: [HTTPEvent.RetryReason] = [
      .status(503, retryAfter: nil), .failure(.connectionLost),
    ]
    #expect(reasons.map(\.description) == ["the status was 503", "of that error"])
  }

  @Test func `H14: requests of one client have numbers of their own`() async throws {
    let attempts = ScriptedAttempts([.status(200), .status(200)])
    for _ in 0..<2 { _ = await attempts.perform(HTTPRequest(.get, try HTTPURL("http://h/"))) }
    #expect(attempts.events.values.map(\.exchange) == [1, 1, 2, 2])
  }

  @Test func `H14: the observer's call ends before the request goes on`() async throws {
    // Given an observer that looks at what has been sent when it is told
    let sent = Recorder<Int>()
    let counts = Recorder<Int>()
    let configuration = HTTPClient.Configuration(observer: { _ in counts.record(sent.count) })
    let exchanges = HTTPExchanges(HTTPExchangeSettings(configuration: configuration))
    let result: Result<HTTPResponse, HTTPClientError> = await exchanges.perform(
      HTTPRequest(.get, try HTTPURL("http://h/"))
    ) { _ in
      sent.record(1)
      return .status(200)
    }
    #expect(result.response?.status == 200)
    #expect(counts.values == [0, 1])
  }
}
