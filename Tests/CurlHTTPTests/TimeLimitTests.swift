import TestSupport
import Testing

@testable import CurlHTTP

@Suite(.timeLimit(.minutes(5)))
struct TimeLimitTests {
  private let short = HTTPLimits.patient(total: .milliseconds(300))

  @Test func `H3: the total limit says which it was, what it was, and that nothing came`()
    async throws
  {
    try await withServer { test in
      let error = await test.failure(of: .get, "slow", limits: short)
      #expect(error?.kind == .timedOut(.total, after: .milliseconds(300), bytesReceived: 0))
      #expect(error?.mayHaveReachedServer == true)
      #expect(error?.isTransient == true)
    }
  }

  @Test func `H3: the total limit says how many bytes had come`() async throws {
    try await withServer { test in
      // Long enough for the first bytes also on a machine that has much else to do.
      let limits = HTTPLimits.patient(total: .seconds(4))
      let error = await test.failure(of: .get, "drip", limits: limits)
      #expect(error?.kind == .timedOut(.total, after: .seconds(4), bytesReceived: 10))
    }
  }

  @Test func `H3: the connect limit says which it was, and that nothing was sent`() async throws {
    try await withServer(["--never-accept"]) { test in
      let limits = HTTPLimits.patient(connect: .milliseconds(300))
      let error = await test.failure(of: .post, "ok", limits: limits)
      #expect(error?.kind == .timedOut(.connect, after: .milliseconds(300), bytesReceived: 0))
      #expect(error?.mayHaveReachedServer == false)
    }
  }

  @Test func `H3: while connecting, the shorter of the two limits fires`() async throws {
    try await withServer(["--never-accept"]) { test in
      let error = await test.failure(of: .get, "ok", limits: short)
      #expect(error?.kind == .timedOut(.total, after: .milliseconds(300), bytesReceived: 0))
      #expect(error?.mayHaveReachedServer == false)
    }
  }

  @Test func `H3: a request does not wait for the connection that another is making`()
    async throws
  {
    try await withServer(["--never-accept"]) { test in
      let patient = Task {
        await test.failure(of: .get, "ok", limits: .patient())
      }
      // Were this one to share the other's attempt, it would share its patience as well.
      let error = await test.failure(of: .get, "ok", limits: short)
      #expect(error?.kind == .timedOut(.total, after: .milliseconds(300), bytesReceived: 0))
      patient.cancel()
      #expect(await patient.value?.kind == .cancelled)
    }
  }

  @Test func `H3: a request without limits of its own keeps to the client's`() async throws {
    try await withServer(configuration: .init(limits: short)) { test in
      let error = await test.failure(of: .get, "slow")
      #expect(error?.kind == .timedOut(.total, after: .milliseconds(300), bytesReceived: 0))
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-5), .nanoseconds(1)])
  func `H3: no value of a limit means forever`(limit: Duration) async throws {
    try await withServer { test in
      let error = await test.failure(of: .get, "slow", limits: HTTPLimits.patient(total: limit))
      #expect(error?.kind == .timedOut(.total, after: limit, bytesReceived: 0))
    }
  }

  @Test(arguments: [
    (Duration.seconds(Int64.min), 1), (.seconds(Int64.max), 2_147_483_647), (.zero, 1),
    (.nanoseconds(-1), 1), (.microseconds(1_001), 2), (.milliseconds(1_500), 1_500),
    (.seconds(2_147_483), 2_147_483_647), (.seconds(2_147_482), 2_147_482_000),
  ])
  func `H3: every duration is a limit that libcurl takes`(limit: Duration, milliseconds: Int) {
    #expect(limit.limitInMilliseconds == milliseconds)
  }

  @Test func `H12: waiting for a connection does not eat the time limit`() async throws {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { test in
      // Given the one connection is busy, and a request with a short limit waits behind it.
      async let first = test.send(.get, "hold/a")
      _ = try await test.log(of: "/hold/a", count: 1)
      let limits = HTTPLimits.patient(total: .seconds(4))
      async let second = test.send(.get, "ok", limits: limits)

      // When more time passes than its limit, as the same limit of another client shows.
      let clock = HTTPClient.patient
      let longer = HTTPLimits.patient(total: .seconds(5))
      await #expect(throws: HTTPClientError.self) {
        try await clock.send(HTTPRequest(.get, test.base.appending(path: "slow"), limits: longer))
      }
      await clock.shutdown()
      try await test.release("a")

      // Then it still succeeds.
      #expect(try await first.text == "a")
      #expect(try await second.text == "ok")
    }
  }
}
