import CurlHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct IdleLimitTests {
  private let short = HTTPLimits.patient(idle: .milliseconds(500))

  @Test(arguments: ["slow", "drip"])
  func `H3: the idle limit says which it was, what it was, and how many bytes had come`(
    path: String
  ) async throws {
    try await withServer { test in
      // Long enough for the first bytes also on a machine that has much else to do.
      let limits = HTTPLimits.patient(idle: .seconds(3))
      let error = await test.failure(of: .get, path, limits: limits)
      let bytes = path == "slow" ? 0 : 10
      #expect(error?.kind == .timedOut(.idle, after: .seconds(3), bytesReceived: bytes))
      #expect(error?.mayHaveReachedServer == true)
      #expect(error?.isTransient == true)
    }
  }

  @Test func `H3: a stream that falls silent throws`() async throws {
    try await withServer { test in
      let response = try await test.stream("drip", limits: HTTPLimits.patient(idle: .seconds(3)))
      let iterator = response.body.makeAsyncIterator()
      #expect(try await iterator.next()?.count == 10)
      let error = await #expect(throws: HTTPClientError.self) { try await iterator.next() }
      #expect(error?.kind == .timedOut(.idle, after: .seconds(3), bytesReceived: 10))
    }
  }

  @Test func `H3: a server that stops reading a body is idle, and a source that waits is not`()
    async throws
  {
    try await withServer { test in
      let body = [UInt8](repeating: 1, count: 30_000_000)
      let url = test.base.appending(path: "unread-never/k")
      let request = HTTPRequest(.post, url, body: body, limits: short)
      let error = await #expect(throws: HTTPClientError.self) {
        try await test.client.send(request)
      }
      #expect(error?.kind == .timedOut(.idle, after: .milliseconds(500), bytesReceived: 0))

      // Given a source that waits for longer than the limit, as the same limit elsewhere shows
      let (source, continuation) = AsyncStream<[UInt8]>.makeStream()
      let echo = HTTPRequest(
        .post, test.base.appending(path: "echo"), limits: .patient(idle: .seconds(3)))
      async let response = test.client.send(echo, uploading: source)
      continuation.yield([0x61])
      let clock = await test.failure(of: .get, "slow", limits: .patient(total: .seconds(4)))
      #expect(clock?.kind == .timedOut(.total, after: .seconds(4), bytesReceived: 0))
      continuation.finish()
      let echoed = try await response.echoed()
      #expect(echoed.body == "a")
    }
  }

  @Test func `H3: a reader who takes their time is no idle server`() async throws {
    try await withServer { test in
      let response = try await test.stream(
        "flood/3000000", limits: HTTPLimits.patient(idle: .seconds(3)))
      let iterator = response.body.makeAsyncIterator()
      let first = try await iterator.next()
      var count = first?.count ?? 0
      let clock = await test.failure(of: .get, "slow", limits: .patient(total: .seconds(4)))
      #expect(clock?.kind == .timedOut(.total, after: .seconds(4), bytesReceived: 0))
      while let bytes = try await iterator.next() { count += bytes.count }
      #expect(count == 3_000_000)
    }
  }

  @Test func `H3: the limit on a whole stream holds also while nobody reads`() async throws {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { test in
      var limits = HTTPLimits.patient()
      limits.streamedTotal = .seconds(3)
      let response = try await test.stream("flood/1000000000", limits: limits)
      // The slot is free when the limit was reached, though nothing was read.
      #expect(try await test.send(.get, "ok").text == "ok")
      let error = await #expect(throws: HTTPClientError.self) {
        try await response.body.collect(upTo: .max)
      }
      guard case .timedOut(.total, .seconds(3), let bytes) = error?.kind else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(bytes > 0)
    }
  }

  @Test func `H3: the total limit of a stream ends with its headers`() async throws {
    try await withServer { test in
      let limits = HTTPLimits.patient(total: .seconds(3))
      let response = try await test.stream("steps/k/ab", limits: limits)
      let error = await #expect(throws: HTTPClientError.self) {
        try await test.stream("slow", limits: limits)
      }
      #expect(error?.kind == .timedOut(.total, after: .seconds(3), bytesReceived: 0))
      // More time than the limit has passed.
      try await test.release("kb")
      try await test.release("kend")
      let whole = try await response.body.collect(upTo: 10)
      #expect(whole == [UInt8]("ab".utf8))
    }
  }
}
