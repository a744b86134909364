import CurlHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CancellationTests {
  @Test(arguments: ["slow", "drip"])
  func `H10: cancelling ends a transfer and closes its connection`(path: String) async throws {
    try await withServer { test in
      let task = Task { await test.failure(of: .get, path) }
      _ = try await test.log(of: "/" + path, count: 1)
      task.cancel()
      let error = await task.value
      #expect(error?.kind == .cancelled)
      #expect(error?.mayHaveReachedServer == true)
      let open = try await test.openConnections(atMost: 0)
      #expect(open == 0)
    }
  }

  @Test func `H10: cancelling frees the connection slot`() async throws {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { test in
      let task = Task { await test.failure(of: .get, "slow") }
      _ = try await test.log(of: "/slow", count: 1)
      async let next = test.send(.get, "ok")
      task.cancel()
      #expect(await task.value?.kind == .cancelled)
      #expect(try await next.text == "ok")
    }
  }

  @Test func `H10: a request that waits for a slot is cancelled without being sent`() async throws {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { test in
      async let first = test.send(.get, "hold/a")
      _ = try await test.log(of: "/hold/a", count: 1)
      let waiting = startedTask { await test.failure(of: .post, "echo") }
      waiting.cancel()
      let error = await waiting.value
      #expect(error?.kind == .cancelled)
      #expect(error?.mayHaveReachedServer == false)
      try await test.release("a")
      #expect(try await first.text == "a")
      let next = try await test.send(.get, "ok")
      #expect(next.text == "ok")
      #expect(try await test.log(of: "/echo") == [])
    }
  }

  @Test func `H10: a task that is cancelled already sends nothing`() async throws {
    try await withServer { test in
      let gate = Gate()
      let task = Task {
        await gate.wait()
        return await test.failure(of: .get, "ok")
      }
      task.cancel()
      gate.open()
      #expect(await task.value?.kind == .cancelled)
      let log = try await test.log(of: "/ok")
      #expect(log == [])
    }
  }

  @Test func `H10: cancelling while a connection is being made ends the attempt`() async throws {
    try await withServer(["--never-accept"]) { test in
      let task = Task { await test.failure(of: .get, "ok") }
      let other = Task {
        await test.failure(of: .get, "ok", limits: HTTPLimits.patient(total: .seconds(1)))
      }
      // The other one's end shows that this one has long been started.
      _ = await other.value
      task.cancel()
      let error = await task.value
      #expect(error?.kind == .cancelled)
      #expect(error?.mayHaveReachedServer == false)
    }
  }

  @Test func `H10: cancels at any moment answer every caller once and leave nothing`() async throws
  {
    try await withServer { test in
      var random = SystemRandomNumberGenerator()
      for _ in 0..<20 {
        let outcomes = await withTaskGroup(of: HTTPClientError.Kind?.self) { group in
          for _ in 0..<50 {
            let task = Task { () -> HTTPClientError.Kind? in
              do throws(HTTPClientError) {
                _ = try await test.send(.get, "ok")
                return nil
              } catch {
                return error.kind
              }
            }
            let spin = UInt64.random(in: 0..<20_000, using: &random)
            group.addTask {
              // Some time that is not the same each time; not a wait for anything.
              var hash = Hasher()
              for value in 0..<spin { hash.combine(value) }
              if hash.finalize() != 0 { task.cancel() }
              return await task.value
            }
          }
          return await group.reduce(into: [HTTPClientError.Kind?]()) { $0.append($1) }
        }
        #expect(outcomes.count == 50)
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .cancelled })
      }
      let response = try await test.send(.get, "ok")
      #expect(response.text == "ok")
      await test.client.shutdown()
      let open = try await test.openConnections(atMost: 0)
      #expect(open == 0)
    }
  }
}
