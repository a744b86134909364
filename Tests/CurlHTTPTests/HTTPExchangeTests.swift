import TestSupport
import Testing

@testable import CurlHTTP

@Suite(.timeLimit(.minutes(5)))
struct HTTPExchangeTests {
  private func request(
    _ method: HTTPMethod = .get, _ url: String = "http://h/a", headers: HTTPHeaders = [:]
  ) throws -> HTTPRequest {
    HTTPRequest(method, try HTTPURL(url), headers: headers)
  }

  @Test func `H7: a GET is tried three times, with pauses that double`() async throws {
    let attempts = ScriptedAttempts([
      .status(503), .error(.connectionLost, mayHaveReachedServer: true), .status(200),
    ])
    let result = await attempts.performThroughPauses(
      try request(), pauses: [.milliseconds(500), .seconds(1)])
    #expect(result.response?.status == 200)
    #expect(
      attempts.sent.values.map(\.url.description) == ["http://h/a", "http://h/a", "http://h/a"])
    // The time that has passed is missing from what is left.
    #expect(
      attempts.sent.values.map(\.limits?.total) == [
        .seconds(100), .milliseconds(99_500), .milliseconds(98_500),
      ])
  }

  @Test func `H7: after the last try the caller gets what came last`() async throws {
    let status = ScriptedAttempts([.status(500), .status(502), .status(503), .status(200)])
    let pauses = [Duration.milliseconds(500), .seconds(1)]
    let response = await status.performThroughPauses(try request(), pauses: pauses).response
    #expect(response?.status == 503)
    #expect(status.events.values.last?.step == .notRetried(.attemptsUsedUp))

    let failing = ScriptedAttempts([
      .status(500), .error(.connectionLost, mayHaveReachedServer: true),
      .error(.couldNotConnect(host: "h")),
    ])
    let error = await failing.performThroughPauses(try request(), pauses: pauses).error
    #expect(error?.kind == .couldNotConnect(host: "h"))
    #expect(error?.attempts == 3)
    #expect(error?.description.contains("It was tried 3 times.") == true)
  }

  @Test func `H7: an error says whether any attempt may have reached the server`() async throws {
    let lost = Result<HTTPResponse, HTTPClientError>.error(
      .connectionLost, mayHaveReachedServer: true)
    let refused = Result<HTTPResponse, HTTPClientError>.error(.couldNotConnect(host: "h"))
    let pauses = [Duration.milliseconds(500), .seconds(1)]
    for (script, mayHave) in [
      ([lost, refused, refused], true), ([.status(503), refused, refused], true),
      ([refused, refused, refused], false),
    ] {
      let attempts = ScriptedAttempts(script)
      let request = try request(.post, headers: ["Idempotency-Key": "k"])
      let error = await attempts.performThroughPauses(request, pauses: pauses).error
      #expect(error?.kind == .couldNotConnect(host: "h"))
      #expect(error?.mayHaveReachedServer == mayHave)
    }
  }

  @Test func `H7: one attempt says nothing of its number`() async throws {
    let attempts = ScriptedAttempts([.error(.tls(.expired))])
    let error = await attempts.perform(try request()).error
    #expect(error?.attempts == 1)
    #expect(error?.description.contains("tried") == false)
    #expect(attempts.sent.count == 1)
  }

  @Test func `H7: a request that is not sent was tried never`() async throws {
    let attempts = ScriptedAttempts([.status(200)])
    let error = await attempts.perform(try request(headers: ["X": "a\nb"])).error
    #expect(error?.attempts == 0)
    #expect(attempts.sent.count == 0)
    #expect(attempts.events.count == 0)
  }

  @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
  func `H7: what changes something is not sent again once the server may have seen it`(
    method: HTTPMethod
  ) async throws {
    for first in [
      Result<HTTPResponse, HTTPClientError>.status(503),
      .error(.connectionLost, mayHaveReachedServer: true),
    ] {
      let attempts = ScriptedAttempts([first, .status(200)])
      let result = await attempts.perform(try request(method))
      #expect(result.response?.status == first.response?.status)
      #expect(result.error?.kind == first.error?.kind)
      #expect(attempts.sent.count == 1)
      #expect(attempts.events.values.last?.step == .notRetried(.notRepeatable))
    }
  }

  @Test func `H7: a POST of which nothing was sent is sent again`() async throws {
    let attempts = ScriptedAttempts([.error(.couldNotConnect(host: "h")), .status(201)])
    let result = await attempts.performThroughPauses(
      try request(.post), pauses: [.milliseconds(500)])
    #expect(result.response?.status == 201)
  }

  @Test func `H7: a POST with a key is sent again, with the same key and body`() async throws {
    let attempts = ScriptedAttempts([.status(429), .status(201)])
    var request = try request(.post, headers: ["idempotency-key": "mine"])
    request.body = [1, 2]
    request.retries = HTTPRetries(sendsIdempotencyKey: true)
    let result = await attempts.performThroughPauses(request, pauses: [.milliseconds(500)])
    #expect(result.response?.status == 201)
    #expect(attempts.sent.values.map { $0.headers["Idempotency-Key"] } == ["mine", "mine"])
    #expect(attempts.sent.values.map(\.body) == [[1, 2], [1, 2]])
  }

  @Test func `H7: a key is made when asked for, and stays over retries and redirects`()
    async throws
  {
    let attempts = ScriptedAttempts([
      .status(503), .status(307, ["Location": "/b"]), .error(.brokenResponse(.empty)), .status(200),
    ]) { $0.retries.sendsIdempotencyKey = true }
    let result = await attempts.performThroughPauses(
      try request(.post), pauses: [.milliseconds(500), .seconds(1)])
    #expect(result.response?.status == 200)
    #expect(
      attempts.sent.values.map { $0.headers.values(for: "Idempotency-Key") }
        == Array(repeating: ["key-1"], count: 4))
    #expect(attempts.sent.values.map(\.url.path) == ["/a", "/a", "/b", "/b"])
  }

  @Test func `H7: reading needs no key, and nobody gets one unasked`() async throws {
    let asked = ScriptedAttempts([.status(200)]) { $0.retries.sendsIdempotencyKey = true }
    _ = await asked.perform(try request(.get))
    #expect(asked.sent.values.map { $0.headers["Idempotency-Key"] } == [nil])
    let unasked = ScriptedAttempts([.status(200)])
    _ = await unasked.perform(try request(.post))
    #expect(unasked.sent.values.map { $0.headers["Idempotency-Key"] } == [nil])
  }

  @Test func `H7: a request's own policy counts, not the client's`() async throws {
    let patient = ScriptedAttempts([.status(503), .status(200)]) { $0.redirects = .never }
    var request = try request()
    request.retries = .never
    #expect(await patient.perform(request).response?.status == 503)
    let attempts = ScriptedAttempts([.status(302, ["Location": "/b"]), .status(200)]) {
      $0.redirects = .never
    }
    request.redirects = .upTo(1)
    #expect(await attempts.perform(request).response?.status == 200)
  }

  @Test(arguments: [
    ("7", Duration.seconds(7)), ("Thu, 01 Jan 1970 00:16:47 GMT", .seconds(7)),
    ("-7", .milliseconds(500)), ("Thu, 01 Jan 1970 00:00:07 GMT", .milliseconds(500)),
    ("soon", .milliseconds(500)),
  ])
  func `H7: the server's Retry-After is waited for`(value: String, pause: Duration) async throws {
    let attempts = ScriptedAttempts([.status(429, ["Retry-After": value]), .status(200)])
    let result = await attempts.performThroughPauses(try request(), pauses: [pause])
    #expect(result.response?.status == 200)
    let delays = attempts.events.values.compactMap { event in
      if case .retryScheduled(_, let delay, _) = event.step { delay } else { nil as Duration? }
    }
    #expect(delays == [pause])
  }

  @Test func `H7: a Retry-After beyond the cap is handed on, with the pause it asks for`()
    async throws
  {
    let attempts = ScriptedAttempts([.status(503, ["Retry-After": "61"]), .status(200)])
    let response = await attempts.perform(try request()).response
    #expect(response?.status == 503)
    #expect(response?.retryAfter == .seconds(61))
    #expect(attempts.events.values.last?.step == .notRetried(.serverAsksForMore(.seconds(61))))
  }

  @Test func `H7: the total limit counts over attempts, and no pause goes past it`() async throws {
    let attempts = ScriptedAttempts([.status(503), .status(200)])
    let response = await attempts.perform(try request(), attemptsTake: .milliseconds(99_500))
      .response
    #expect(response?.status == 503)
    #expect(attempts.events.values.last?.step == .notRetried(.totalLimit))
  }

  @Test func `H12: what an attempt waited for a connection does not count`() async throws {
    let metrics = HTTPMetrics(
      nameLookupEnd: 0, connectEnd: 0, tlsEnd: 0, firstByte: 0, total: 2_000_000, bytesSent: 0,
      bytesReceived: 0, newConnections: 0, version: .http1_1)
    let attempts = ScriptedAttempts([
      .success(HTTPResponse(status: 302, headers: ["Location": "/b"], metrics: metrics)),
      .status(200),
    ])
    // The clock says an hour, of which the transfer took two seconds.
    let result = await attempts.perform(try request(), attemptsTake: .seconds(3_600))
    #expect(result.response?.status == 200)
    #expect(attempts.sent.values.map(\.limits?.total) == [.seconds(100), .seconds(98)])
  }

  @Test func `H7: the limit that the caller set is the one in the error`() async throws {
    let attempts = ScriptedAttempts([
      .status(302, ["Location": "/b"]),
      .error(.timedOut(.total, after: .seconds(60), bytesReceived: 5), mayHaveReachedServer: true),
    ])
    let error = await attempts.perform(try request(), attemptsTake: .seconds(40)).error
    #expect(attempts.sent.values.map(\.limits?.total) == [.seconds(100), .seconds(60)])
    #expect(error?.kind == .timedOut(.total, after: .seconds(100), bytesReceived: 5))
    #expect(error?.attempts == 1)
    #expect(error?.redirects == ["http://h/a"])
  }

  @Test func `H6: no redirect is followed when no time is left`() async throws {
    let attempts = ScriptedAttempts([.status(302, ["Location": "/b"]), .status(200)])
    let error = await attempts.perform(try request(), attemptsTake: .seconds(100)).error
    #expect(error?.kind == .timedOut(.total, after: .seconds(100), bytesReceived: 0))
    #expect(error?.mayHaveReachedServer == true)
    #expect(attempts.sent.count == 1)
  }

  @Test func `H3: the connect limit is each attempt's own`() async throws {
    let attempts = ScriptedAttempts([.status(302, ["Location": "/b"]), .status(200)])
    var request = try request()
    request.limits = HTTPLimits(connect: .seconds(3), total: .seconds(20), bodySize: 9)
    _ = await attempts.perform(request, attemptsTake: .seconds(5))
    #expect(
      attempts.sent.values.map(\.limits) == [
        HTTPLimits(connect: .seconds(3), total: .seconds(20), bodySize: 9),
        HTTPLimits(connect: .seconds(3), total: .seconds(15), bodySize: 9),
      ])
  }

  @Test func `H10: cancelling ends a pause at once`() async throws {
    let attempts = ScriptedAttempts([
      .error(.connectionLost, mayHaveReachedServer: true), .status(200),
    ])
    let request = try request()
    let task = Task { await attempts.perform(request) }
    // Given a pause that would never end
    await attempts.clock.waitForSleeps(1)
    task.cancel()
    let error = await task.value.error
    #expect(error?.kind == .cancelled)
    #expect(error?.attempts == 1)
    #expect(error?.mayHaveReachedServer == true)
    #expect(attempts.sent.count == 1)
  }

  @Test func `H13: shutting down ends a pause at once, and every later one`() async throws {
    let attempts = ScriptedAttempts([.status(503), .status(503)])
    let request = try request()
    let task = Task { await attempts.perform(request) }
    await attempts.clock.waitForSleeps(1)
    attempts.exchanges.shutDown()
    #expect(await task.value.error?.kind == .clientShutDown)
    #expect(await attempts.perform(request).error?.kind == .clientShutDown)
    #expect(attempts.sent.count == 2)
  }

  @Test func `H6: the response says where it came from`() async throws {
    let attempts = ScriptedAttempts([
      .status(301, ["Location": "https://g/b?page=1"]), .status(302, ["Location": "?page=2"]),
      .status(200),
    ])
    let response = await attempts.perform(try request()).response
    #expect(response?.url == (try HTTPURL("https://g/b?page=2")))
    let direct = ScriptedAttempts([.status(404)])
    #expect(await direct.perform(try request()).response?.url == (try HTTPURL("http://h/a")))
  }

  @Test func `H6: a circle ends with an error that names the way`() async throws {
    let attempts = ScriptedAttempts(
      Array(repeating: .status(302, ["Location": "/a?token=s3cret"]), count: 20))
    let error = await attempts.perform(try request()).error
    #expect(error?.kind == .tooManyRedirects(limit: 10))
    #expect(attempts.sent.count == 11)
    #expect(
      error?.redirects == ["http://h/a"] + Array(repeating: "http://h/a?token=***", count: 9))
    let description = error?.description ?? ""
    #expect(
      description.hasPrefix(
        "GET http://h/a?token=*** failed: it was redirected more than 10 times, the limit. The "
          + "server may send it round in circles; check the URL, or allow more. Redirects led "
          + "there: http://h/a → http://h/a?token=*** → "))
  }

  @Test func `H6: a redirected POST fails, and says that it may have been done`() async throws {
    let attempts = ScriptedAttempts([.status(301, ["Location": "/posts"]), .status(200)])
    let error = await attempts.perform(try request(.post, "http://h/posts/")).error
    #expect(error?.mayHaveReachedServer == true)
    #expect(
      error?.description
        == "POST http://h/posts/ failed: the server redirects it to http://h/posts with status "
        + "301, which would turn it into a GET. Check the URL, its slash at the end included; "
        + "what was done may also be found there. The server may have carried it out; look before "
        + "sending it again.")
    #expect(attempts.sent.count == 1)
  }

  @Test func `H7: a retry begins where the redirects had led, not anew`() async throws {
    let attempts = ScriptedAttempts([
      .status(302, ["Location": "/b"]), .status(503), .status(302, ["Location": "/c"]),
      .status(200),
    ])
    let result = await attempts.performThroughPauses(try request(), pauses: [.milliseconds(500)])
    #expect(result.response?.status == 200)
    #expect(attempts.sent.values.map(\.url.path) == ["/a", "/b", "/b", "/c"])
  }

  @Test func `H7: keys are random UUIDs`() {
    var random = SplitMix64(seed: 1)
    let keys = (0..<1_000).map { _ in IdempotencyKey.random(using: &random) }
    #expect(Set(keys).count == 1_000)
    for key in keys {
      let parts = key.split(separator: "-")
      #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
      #expect(key.utf8.allSatisfy { $0 == 0x2D || $0.hexDigitValue != nil })
      #expect(parts[2].first == "4")
      #expect("89ab".contains(parts[3].prefix(1)))
    }
  }
}
