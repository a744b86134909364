import CurlHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ShutdownTests {
  @Test func `H13: shutting down fails what is under way, what waits, and what comes later`()
    async throws
  {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { test in
      let running = Task { await test.failure(of: .get, "slow") }
      _ = try await test.log(of: "/slow", count: 1)
      let waiting = startedTask { await test.failure(of: .get, "ok") }
      await test.client.shutdown()
      #expect(await running.value?.kind == .clientShutDown)
      #expect(await waiting.value?.kind == .clientShutDown)
      let later = await test.failure(of: .get, "ok")
      #expect(later?.kind == .clientShutDown)
      #expect(later?.mayHaveReachedServer == false)
      #expect(try await test.log(of: "/ok") == [])
      let open = try await test.openConnections(atMost: 0)
      #expect(open == 0)
    }
  }

  @Test func `H13: a request under way says that the server may have seen it`() async throws {
    try await withServer { test in
      let running = Task { await test.failure(of: .post, "slow") }
      _ = try await test.log(of: "/slow", count: 1)
      await test.client.shutdown()
      let error = await running.value
      #expect(error?.kind == .clientShutDown)
      #expect(error?.mayHaveReachedServer == true)
    }
  }

  @Test func `H13: shutting down again, or from many tasks, is fine`() async throws {
    let client = HTTPClient.patient
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { await client.shutdown() } }
    }
    await client.shutdown()
  }

  @Test func `H13: shutting down at once, before the thread has begun, is fine`() async {
    for _ in 0..<50 { await HTTPClient.patient.shutdown() }
  }

  @Test func `H13: every request gets one answer when the client shuts down meanwhile`()
    async throws
  {
    try await withServer { test in
      for _ in 0..<20 {
        let client = HTTPClient.patient
        let request = HTTPRequest(.get, test.base.appending(path: "ok"))
        let kinds = await withTaskGroup(of: HTTPClientError.Kind?.self) { group in
          for _ in 0..<20 {
            group.addTask {
              do throws(HTTPClientError) {
                _ = try await client.send(request)
                return nil
              } catch {
                return error.kind
              }
            }
          }
          group.addTask {
            await client.shutdown()
            return nil
          }
          return await group.reduce(into: [HTTPClientError.Kind?]()) { $0.append($1) }
        }
        #expect(kinds.count == 21)
        #expect(kinds.allSatisfy { $0 == nil || $0 == .clientShutDown })
      }
    }
  }

  @Test func `H13: a client that is released closes its connections`() async throws {
    try await withServer { test in
      var client: HTTPClient? = HTTPClient.patient
      let response = try await client?.send(HTTPRequest(.get, test.base.appending(path: "ok")))
      #expect(response?.text == "ok")
      client = nil
      let open = try await test.openConnections(atMost: 0)
      #expect(open == 0)
    }
  }

  @Test func `H13: many clients live and end side by side`() async throws {
    try await withServer { test in
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<20 {
          group.addTask {
            let client = HTTPClient.patient
            return try await client.send(HTTPRequest(.get, test.base.appending(path: "ok"))).text
          }
        }
        for try await text in group { #expect(text == "ok") }
      }
      let open = try await test.openConnections(atMost: 0)
      #expect(open == 0)
    }
  }
}
