import CurlHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StreamCancellationTests {
  @Test func `H10: cancelling the task that reads ends the stream and frees its slot`()
    async throws
  {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { test in
      let response = try await test.stream("drip")
      let gate = Gate()
      let reading = Task {
        let iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next()?.first == 0x78)
        gate.open()
        return try await iterator.next()
      }
      await gate.wait()
      reading.cancel()
      let error = await #expect(throws: HTTPClientError.self) { try await reading.value }
      #expect(error?.kind == .cancelled)
      #expect(try await test.send(.get, "ok").text == "ok")
      #expect(try await test.openConnections(atMost: 1) <= 1)
    }
  }

  @Test func `H10: cancelling before the headers have come ends the request`() async throws {
    try await withServer { test in
      let task = Task { try await test.stream("slow").status }
      _ = try await test.log(of: "/slow", count: 1)
      task.cancel()
      let error = await #expect(throws: HTTPClientError.self) { try await task.value }
      #expect(error?.kind == .cancelled)
      #expect(try await test.openConnections(atMost: 0) == 0)
    }
  }

  @Test func `H10: a paused stream that is given up closes its connection`() async throws {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { test in
      for _ in 0..<20 {
        do {
          let response = try await test.stream("flood/1000000000")
          let iterator = response.body.makeAsyncIterator()
          _ = try await iterator.next()
        }
        #expect(try await test.send(.get, "ok").text == "ok")
      }
      #expect(try await test.openConnections(atMost: 1) <= 1)
    }
  }

  @Test func `H10: a task that is cancelled already reads nothing`() async throws {
    try await withServer { test in
      let response = try await test.stream("bytes/1024")
      let gate = Gate()
      let task = Task {
        await gate.wait()
        return try await response.body.collect(upTo: 1024)
      }
      task.cancel()
      gate.open()
      let error = await #expect(throws: HTTPClientError.self) { try await task.value }
      #expect(error?.kind == .cancelled)
    }
  }

  @Test func `H10: streams that are given up at any moment leave nothing`() async throws {
    try await withServer { test in
      for round in 0..<10 {
        await withTaskGroup(of: Void.self) { group in
          for index in 0..<30 {
            group.addTask {
              let task = Task {
                var left = (index * 7 + round) % 9
                for try await _ in try await test.stream("flood/2000000").body {
                  left -= 1
                  if left < 0 { break }
                }
              }
              // Some time that is not the same each time; not a wait for anything.
              var hash = Hasher()
              for value in 0..<UInt64.random(in: 0..<20_000) { hash.combine(value) }
              if hash.finalize() != 0, index.isMultiple(of: 2) { task.cancel() }
              _ = await task.result
            }
          }
        }
      }
      let next = try await test.send(.get, "ok")
      #expect(next.text == "ok")
      await test.client.shutdown()
      #expect(try await test.openConnections(atMost: 0) == 0)
    }
  }

  @Test func `H13: shutting down ends a stream, whether it waits or is paused`() async throws {
    try await withServer { test in
      let waiting = try await test.stream("drip")
      let paused = try await test.stream("flood/1000000000")
      let iterator = waiting.body.makeAsyncIterator()
      #expect(try await iterator.next()?.first == 0x78)
      async let shutdown: Void = test.client.shutdown()
      let error = await #expect(throws: HTTPClientError.self) { try await iterator.next() }
      #expect(error?.kind == .clientShutDown)
      let other = await #expect(throws: HTTPClientError.self) {
        try await paused.body.collect(upTo: .max)
      }
      #expect(other?.kind == .clientShutDown)
      await shutdown
      #expect(try await test.openConnections(atMost: 0) == 0)
    }
  }
}
