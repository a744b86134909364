import TestSupport
import Testing

@testable import CurlHTTP

@Suite(.timeLimit(.minutes(5)))
struct RetryTests {
  private func withRetries(
    _ retries: HTTPRetries = HTTPRetries(baseDelay: .zero),
    _ body: (ServedTest) async throws -> Void
  ) async throws {
    try await withServer(
      configuration: .init(
        limits: HTTPLimits(connect: .seconds(3_600), total: .seconds(3_600)), retries: retries),
      body)
  }

  private func flaky(_ test: ServedTest, _ query: KeyValuePairs<String, String>) -> HTTPURL {
    test.base.appending(path: "flaky/a").appending(query: query)
  }

  @Test(arguments: [HTTPMethod.get, .head])
  func `H7: a status that may pass is tried three times in all`(method: HTTPMethod) async throws {
    try await withRetries { test in
      let url = flaky(test, ["fail": "2", "status": "503", "retry_after": "0"])
      let response = try await test.client.send(HTTPRequest(method, url))
      #expect(response.status == 200)
      #expect(
        try await test.log(of: "/flaky/a").map(\.method)
          == [method, method, method].map(\.rawValue))
    }
  }

  @Test func `H7: the last answer is what the caller gets`() async throws {
    try await withRetries { test in
      let response = try await test.client.send(
        HTTPRequest(.get, flaky(test, ["fail": "9", "status": "429"])))
      #expect(response.status == 429)
      #expect(response.text == "later")
      #expect(try await test.log(of: "/flaky/a").count == 3)
    }
  }

  @Test func `H7: a connection that ends without an answer is tried again`() async throws {
    try await withRetries { test in
      // No connection has been used before, which libcurl would not hold against the server.
      let failed = await test.failure(of: .get, "empty")
      #expect(failed?.attempts == 3)
      #expect(try await test.log(of: "/empty").count == 3)
      let response = try await test.client.send(
        HTTPRequest(.get, flaky(test, ["fail": "2", "close": "1"])))
      #expect(response.status == 200)
    }
  }

  @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
  func `H7: what changes something reaches the server once, whatever it answers`(
    method: HTTPMethod
  ) async throws {
    try await withRetries { test in
      let response = try await test.client.send(
        HTTPRequest(method, flaky(test, ["fail": "9", "status": "503", "retry_after": "0"])))
      #expect(response.status == 503)
      let error = await test.failure(of: method, "empty")
      #expect(error?.attempts == 1)
      #expect(try await test.log(of: "/flaky/a").count == 1)
      #expect(try await test.log(of: "/empty").count == 1)
    }
  }

  @Test func `H7: a POST with a made key is sent until it is answered, always with that key`()
    async throws
  {
    try await withRetries(HTTPRetries(baseDelay: .zero, sendsIdempotencyKey: true)) { test in
      let url = flaky(test, ["fail": "2", "close": "1"])
      let response = try await test.client.send(HTTPRequest(.post, url, body: [0x61]))
      #expect(response.status == 200)
      let log = try await test.log(of: "/flaky/a")
      #expect(log.map(\.body) == ["a", "a", "a"])
      let keys = log.map { $0.values(of: "Idempotency-Key") }
      #expect(keys.count == 3 && Set(keys).count == 1)
      #expect(keys.first?.first?.utf8.count == 36)
      // Another request has another key.
      let other = try await test.send(.post, "echo").echoed()
      #expect(other.values(of: "Idempotency-Key").count == 1)
      #expect(other.values(of: "Idempotency-Key") != keys.first)
    }
  }

  @Test func `H7: a POST of which nothing was sent is tried again`() async throws {
    let events = Recorder<HTTPEvent>()
    let client = HTTPClient(
      configuration: .init(
        retries: HTTPRetries(baseDelay: .zero), observer: { events.record($0) }))
    let error = await #expect(throws: HTTPClientError.self) {
      try await client.send(HTTPRequest(.post, HTTPURL("http://127.0.0.1:1/"), body: [1]))
    }
    await client.shutdown()
    #expect(error?.attempts == 3)
    #expect(error?.mayHaveReachedServer == false)
    let starts = events.values.map(\.step).filter { if case .started = $0 { true } else { false } }
    #expect(starts == [.started(attempt: 1), .started(attempt: 2), .started(attempt: 3)])
  }

  @Test func `H7: a request for a pause that is too long is not waited for`() async throws {
    try await withRetries { test in
      let response = try await test.client.send(
        HTTPRequest(.get, flaky(test, ["status": "503", "retry_after": "86400"])))
      #expect(response.status == 503)
      #expect(response.retryAfter == .seconds(86_400))
      #expect(try await test.log(of: "/flaky/a").count == 1)
    }
  }

  @Test func `H13: shutting down ends the pause before a retry`() async throws {
    let hour = HTTPRetries(longestDelay: .seconds(3_600))
    let paused = Gate()
    let server = try await PythonServer("fault_server")
    let client = HTTPClient(
      configuration: .init(
        limits: HTTPLimits(total: .seconds(86_400)), retries: hour,
        observer: { event in if case .retryScheduled = event.step { paused.open() } }))
    let url = try HTTPURL(server.baseURL + "/flaky/a?status=503&retry_after=3599")
    let task = Task { try await client.send(HTTPRequest(.get, url)) }
    await paused.wait()
    await client.shutdown()
    let error = await #expect(throws: HTTPClientError.self) { try await task.value }
    #expect(error?.kind == .clientShutDown)
    await server.stop()
  }

  @Test func `H10: cancelling ends the pause before a retry`() async throws {
    let paused = Gate()
    let server = try await PythonServer("fault_server")
    let client = HTTPClient(
      configuration: .init(
        limits: HTTPLimits(total: .seconds(86_400)),
        retries: HTTPRetries(longestDelay: .seconds(3_600)),
        observer: { event in if case .retryScheduled = event.step { paused.open() } }))
    let url = try HTTPURL(server.baseURL + "/flaky/a?status=503&retry_after=3599")
    let task = Task { try await client.send(HTTPRequest(.get, url)) }
    await paused.wait()
    task.cancel()
    let error = await #expect(throws: HTTPClientError.self) { try await task.value }
    #expect(error?.kind == .cancelled)
    await client.shutdown()
    await server.stop()
  }
}
