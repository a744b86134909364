import TestSupport
import Testing

@testable import CurlHTTP

@Suite(.timeLimit(.minutes(5)))
struct ConcurrencyTests {
  @Test func `H12: requests beyond the limit of a host wait for its connections`() async throws {
    try await withServer(configuration: .patient(connectionsPerHost: 3)) { test in
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<30 { group.addTask { try await test.send(.get, "ok").text } }
        for try await text in group { #expect(text == "ok") }
      }
      let log = try await test.log(of: "/ok")
      #expect(log.count == 30)
      #expect(Set(log.map(\.connection)).count <= 3)
    }
  }

  @Test func `H12: a host whose connections are busy does not hold up another`() async throws {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { busy in
      try await PythonServer.run("fault_server") { other in
        async let held = busy.send(.get, "hold/a")
        _ = try await busy.log(of: "/hold/a", count: 1)
        async let behind = busy.send(.get, "ok")
        let url = try HTTPURL(other.baseURL).appending(path: "ok")
        #expect(try await busy.client.send(HTTPRequest(.get, url)).text == "ok")
        try await busy.release("a")
        #expect(try await held.text == "a")
        #expect(try await behind.text == "ok")
      }
    }
  }

  @Test func `H12: POSTs on fresh connections close idle ones rather than exceed the limit`()
    async throws
  {
    try await withServer(configuration: .patient(connectionsPerHost: 4)) { test in
      for method in [HTTPMethod.get, .post, .get, .post] {
        try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<12 { group.addTask { try await test.send(method, "ok").status } }
          for try await status in group { #expect(status == 200) }
        }
      }
      #expect(try await test.log(of: "/ok").count == 48)
      // The count is asked for over one connection more.
      let open = try await test.openConnections(atMost: 4)
      #expect(open <= 4)
    }
  }

  @Test func `H1: each request wakes a client that has nothing to do`() async throws {
    try await withServer { test in
      // Given a loop that sleeps for longer than the suite's time limit unless it is woken.
      let loop = TransferLoop(configuration: .patient(), longestPoll: 65_000)
      let thread = try #require(LoopThread { loop.run() })
      let request = HTTPRequest(.get, test.base.appending(path: "ok"))
      for _ in 0..<300 {
        let response = try await loop.perform(request).get()
        #expect(response.text == "ok")
      }
      // A cancel and the end wake it as well.
      let silent = HTTPRequest(
        .get, test.base.appending(path: "slow"), limits: .patient())
      let task = Task { await loop.perform(silent) }
      _ = try await test.log(of: "/slow", count: 1)
      task.cancel()
      #expect(await task.value == .failure(mayHaveArrived(.cancelled, silent)))
      loop.stop()
      await loop.waitUntilClosed()
      thread.join()
    }
  }

  private func mayHaveArrived(
    _ kind: HTTPClientError.Kind, _ request: HTTPRequest
  ) -> HTTPClientError {
    var error = HTTPClientError(kind, request: request)
    error.mayHaveReachedServer = true
    return error
  }

  @Test func `H1: two thousand requests at once are all answered`() async throws {
    try await withServer { test in
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<2_000 { group.addTask { try await test.send(.get, "ok").status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == [Int](repeating: 200, count: 2_000))
    }
  }
}
