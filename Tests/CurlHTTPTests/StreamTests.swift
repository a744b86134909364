import CurlHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StreamTests {
  @Test func `H1: a streamed body comes piece by piece, as the server sends it`() async throws {
    try await withServer { test in
      let response = try await test.stream("steps/k/abc")
      #expect(response.status == 200)
      #expect(response.headers["Transfer-Encoding"] == "chunked")
      let iterator = response.body.makeAsyncIterator()
      // Each piece is read before the server may send the next.
      #expect(try await iterator.next() == [0x61])
      try await test.release("kb")
      #expect(try await iterator.next() == [0x62])
      try await test.release("kc")
      #expect(try await iterator.next() == [0x63])
      try await test.release("kend")
      #expect(try await iterator.next() == nil)
      #expect(try await iterator.next() == nil)
    }
  }

  @Test func `H1: a streamed body is what a collected one is`() async throws {
    try await withSharedServer { test in
      for path in ["bytes/1048576", "ok", "status/204", "chunked", "encoded/gzip", "bytes/0"] {
        let collected = try await test.send(.get, path)
        let streamed = try await test.stream(path)
        #expect(streamed.status == collected.status)
        #expect(streamed.headers == collected.headers)
        var body: [UInt8] = []
        for try await bytes in streamed.body {
          #expect(!bytes.isEmpty)
          body += bytes
        }
        #expect(body == collected.body)
      }
    }
  }

  @Test func `H1: every status is a response of a stream, and HEAD has an empty body`()
    async throws
  {
    try await withSharedServer { test in
      for status in [201, 204, 304, 404, 503] {
        #expect(try await test.stream("status/\(status)").status == status)
      }
      let head = try await test.stream("bytes/1024", method: .head)
      #expect(head.headers["Content-Length"] == "1024")
      #expect(try await head.body.collect(upTo: 0) == [])
      let interim = try await test.stream("interim")
      #expect(interim.status == 200)
      #expect(try await interim.body.collect(upTo: 10) == [UInt8]("final".utf8))
    }
  }

  @Test func `H1: a reader who takes their time makes the server wait`() async throws {
    try await withServer { test in
      // Given more than the client and the system hold together
      let size = 64 * 1024 * 1024
      let response = try await test.stream("flood/\(size)")
      let iterator = response.body.makeAsyncIterator()
      var received = 0
      while let bytes = try await iterator.next() {
        // When pieces are read one by one
        #expect(bytes.first == UInt8(truncatingIfNeeded: received))
        #expect(bytes.last == UInt8(truncatingIfNeeded: received + bytes.count - 1))
        #expect(bytes.count <= 300 * 1024)
        received += bytes.count
        // Then the server is never further than what is held on the way.
        if received < 2 * 1024 * 1024 {
          let sent = try await test.sentBytes(of: "/flood/\(size)")
          #expect(sent - received < 16 * 1024 * 1024)
        }
      }
      #expect(received == size)
    }
  }

  #if os(Linux)
    @Test(.enabled(if: !isThreadSanitized))
    func `H1: the memory of a stream does not grow with its length`() async throws {
      try await withServer { test in
        // A first one, for what is allocated once.
        _ = try await test.drain("flood/1048576")
        let before = try residentBytes()
        let size = 128 * 1024 * 1024
        #expect(try await test.drain("flood/\(size)") == size)
        // Other tests run meanwhile and use memory of their own.
        #expect(try residentBytes() - before < size / 2)
      }
    }
  #endif

  @Test func `H1, H12: a stream that is dropped unread ends and frees its slot`() async throws {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { test in
      do { _ = try await test.stream("flood/1000000000") }
      #expect(try await test.send(.get, "ok").text == "ok")
    }
  }

  @Test func `H1, H12: a stream whose iterator is dropped ends, though the response is kept`()
    async throws
  {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { test in
      let response = try await test.stream("flood/1000000000")
      for try await bytes in response.body {
        #expect(!bytes.isEmpty)
        break
      }
      #expect(try await test.send(.get, "ok").text == "ok")
      #expect(response.status == 200)
    }
  }

  @Test func `H1: a body is read once, and a second reading says so`() async throws {
    try await withSharedServer { test in
      let response = try await test.stream("ok")
      #expect(try await response.body.collect(upTo: 10) == [UInt8]("ok".utf8))
      let error = await #expect(throws: HTTPClientError.self) {
        try await response.body.collect(upTo: 10)
      }
      #expect(error?.kind == .bodyReadTwice)
      let description = error?.description ?? ""
      #expect(
        description.hasSuffix(
          "the body of the response was read twice. It is not kept, so it can be read once; "
            + "collect it if you need it again."))
    }
  }

  @Test func `H1: a response keeps its client while its body is read`() async throws {
    try await withServer { test in
      var client: HTTPClient? = .patient
      let url = test.base.appending(path: "steps/k/ab")
      let response = try #require(try await client?.stream(HTTPRequest(.get, url)))
      client = nil
      try await test.release("kb")
      try await test.release("kend")
      #expect(try await response.body.collect(upTo: 10) == [UInt8]("ab".utf8))
    }
  }

  @Test func `H4: a stream has no limit of size, unless one is set`() async throws {
    try await withSharedServer { test in
      let size = 20_000_000
      let drained = try await test.drain("gzip-flood/\(size)")
      #expect(drained == size)
      #expect(try await test.drain("bytes/2048", limit: 2048) == 2048)
      for path in ["bytes/2048", "gzip-flood/2048", "gzip-flood/3000000"] {
        let error = await #expect(throws: HTTPClientError.self) {
          try await test.drain(path, limit: 2047)
        }
        #expect(error?.kind == .bodyTooLarge(limit: 2047))
      }
    }
  }

  @Test func `H4: a stream is collected up to a limit, beyond which it ends`() async throws {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { test in
      let whole = try await test.stream("bytes/1024").body.collect(upTo: 1024)
      #expect(whole.count == 1024)
      let response = try await test.stream("flood/1000000000")
      let error = await #expect(throws: HTTPClientError.self) {
        try await response.body.collect(upTo: 1_000_000)
      }
      #expect(error?.kind == .bodyTooLarge(limit: 1_000_000))
      #expect(try await test.send(.get, "ok").text == "ok")
    }
  }

  @Test func `H5: a stream that is cut short throws after what had come`() async throws {
    try await withServer { test in
      let response = try await test.stream("steps-cut/k")
      let iterator = response.body.makeAsyncIterator()
      #expect(try await iterator.next() == [0x61])
      try await test.release("kcut")
      for _ in 0..<2 {
        let error = await #expect(throws: HTTPClientError.self) { try await iterator.next() }
        #expect(error?.kind == .brokenResponse(.truncated))
        #expect(error?.mayHaveReachedServer == true)
      }
    }
  }

  @Test(arguments: [
    ("empty", HTTPClientError.Kind.brokenResponse(.empty)),
    ("garbage", .brokenResponse(.notHTTP)), ("two-lengths", .brokenResponse(.conflictingLengths)),
    ("long-header/70000", .headersTooLarge(limit: 65_536)),
  ])
  func `H5: what is wrong before the body is thrown by the call`(
    path: String, kind: HTTPClientError.Kind
  ) async throws {
    try await withSharedServer { test in
      let error = await #expect(throws: HTTPClientError.self) { try await test.stream(path) }
      #expect(error?.kind == kind)
    }
  }

  @Test func `H5: the bodies that are broken for send are broken for stream`() async throws {
    try await withSharedServer { test in
      for (path, kind) in [
        ("cut", HTTPClientError.BrokenResponse.truncated), ("cut-chunked", .truncated),
        ("bad-chunk", .notHTTP), ("not-gzip", .undecodable), ("bad-trailer", .notHTTP),
      ] {
        let error = await #expect(throws: HTTPClientError.self) { try await test.drain(path) }
        #expect(error?.kind == .brokenResponse(kind))
      }
    }
  }
}
