import CurlHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BrokenResponseTests {
  @Test(arguments: [
    ("cut", HTTPClientError.Kind.brokenResponse(.truncated)),
    ("cut-chunked", .brokenResponse(.truncated)),
    ("cut-headers", .brokenResponse(.truncated)),
    ("bad-chunk", .brokenResponse(.notHTTP)),
    ("two-lengths", .brokenResponse(.conflictingLengths)),
    ("garbage", .brokenResponse(.notHTTP)),
    ("nul-header", .brokenResponse(.notHTTP)),
    ("empty", .brokenResponse(.empty)),
    ("not-gzip", .brokenResponse(.undecodable)),
    ("unknown-encoding", .brokenResponse(.undecodable)),
    ("bad-trailer", .brokenResponse(.notHTTP)),
    ("no-colon", .brokenResponse(.notHTTP)),
    ("reset", .connectionLost),
  ])
  func `H5: a response that is not whole and clear is a typed error`(
    path: String, kind: HTTPClientError.Kind
  ) async throws {
    try await withSharedServer { test in
      let error = await test.failure(of: .get, path)
      #expect(error?.kind == kind)
      #expect(error?.mayHaveReachedServer == true)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200\tOK", "HTTP/1.1 200OK", "HTTP/1.1 \t200 OK", "http/1.1 200 OK", "HTTP/1.1 200,",
    "HTTP/1.1 200 OK\r\nHTTP/1.1 500 Two", "HTTP/1.1 200 OK\r\n\rX",
  ])
  func `H5: a status line of libcurl's own taste is a typed error, body or not`(line: String)
    async throws
  {
    try await withSharedServer { test in
      let url = test.base.appending(path: "status-line").appending(segment: line)
      let error = await #expect(throws: HTTPClientError.self) {
        try await test.client.send(HTTPRequest(.get, url))
      }
      #expect(error?.kind == .brokenResponse(.notHTTP))
      let next = try await test.send(.get, "ok")
      #expect(next.text == "ok")
    }
  }

  @Test func `H5: 101, which nobody asked for, is a response with all that follows it`()
    async throws
  {
    try await withSharedServer { test in
      let url = test.base.appending(path: "status-line").appending(segment: "HTTP/1.1 101 Other")
      let response = try await test.client.send(HTTPRequest(.get, url))
      #expect(response.status == 101)
      #expect(response.text == "body")
    }
  }

  @Test func `H5: one length stated twice is one length`() async throws {
    try await withSharedServer { test in
      let response = try await test.send(.get, "same-length-twice")
      #expect(response.text == "01234")
    }
  }

  @Test func `H5: a body in gzip that was cut short is an error`() async throws {
    try await withSharedServer { test in
      // A gap of the client: libcurl reports success and does not show the bytes that would tell. Once
      // that is mended this fails, and the exception goes.
      await withKnownIssue("libcurl does not tell a cut body in gzip from a whole one") {
        await #expect(throws: HTTPClientError.self) { try await test.send(.get, "cutgzip/12") }
      }
    }
  }

  @Test func `H4: a body of exactly the limit is let through, one byte more is not`() async throws {
    try await withSharedServer { test in
      let exact = try await test.send(
        .get, "bytes/1024", limits: HTTPLimits.patient(bodySize: 1024))
      #expect(exact.body.count == 1024)
      let error = await test.failure(
        of: .get, "bytes/1024", limits: HTTPLimits.patient(bodySize: 1023))
      #expect(error?.kind == .bodyTooLarge(limit: 1023))
    }
  }

  @Test(arguments: ["huge", "huge-chunked", "gzip-bomb"])
  func `H4: announced, chunked and compressed bodies are all counted`(path: String) async throws {
    try await withSharedServer { test in
      let error = await test.failure(of: .get, path, limits: HTTPLimits.patient(bodySize: 100_000))
      #expect(error?.kind == .bodyTooLarge(limit: 100_000))
      #expect(error?.isTransient == false)
    }
  }

  @Test func `H4: the default limit is 16 MiB after decompression`() async throws {
    try await withSharedServer { test in
      let error = await test.failure(of: .get, "gzip-bomb")
      #expect(error?.kind == .bodyTooLarge(limit: 16_777_216))
    }
  }

  @Test(arguments: ["many-headers/1000", "long-header/70000", "long-header/200000"])
  func `H4: headers beyond 64 KiB are refused`(path: String) async throws {
    try await withSharedServer { test in
      let error = await test.failure(of: .get, path)
      #expect(error?.kind == .headersTooLarge(limit: 65_536))
    }
  }

  @Test func `H4: headers within the limit pass`() async throws {
    try await withSharedServer { test in
      let response = try await test.send(.get, "many-headers/600")
      #expect(response.headers.fields.count == 601)
    }
  }

  @Test func `H7: a POST is not sent again behind the caller's back`() async throws {
    try await withServer { test in
      // Given a connection that libcurl would use again, and a server that closes it unanswered.
      _ = try await test.send(.get, "ok")
      let path = "close-after-post-on-reused-connection"
      let response = try await test.send(.post, path, body: [1])
      // Then the POST went out once, on a connection of its own.
      #expect(response.status == 200)
      #expect(try await test.log(of: "/" + path).count == 1)
    }
  }

  @Test func `H7: a POST with a key is not sent again behind the caller's back either`()
    async throws
  {
    try await withServer { test in
      _ = try await test.send(.get, "ok")
      let response = try await test.send(
        .post, "echo", headers: ["Idempotency-Key": "7"], body: [1])
      #expect(try response.echoed().connection == 2)
    }
  }

  @Test func `H12: connections are used again`() async throws {
    try await withServer { test in
      for _ in 0..<5 { _ = try await test.send(.get, "ok") }
      #expect(Set(try await test.log(of: "/ok").map(\.connection)) == [1])
    }
  }

  @Test func `a failed request leaves the client usable`() async throws {
    try await withSharedServer { test in
      for path in ["cut", "reset", "garbage", "huge", "empty"] {
        _ = await test.failure(of: .get, path)
        let response = try await test.send(.get, "ok")
        #expect(response.text == "ok")
      }
    }
  }
}
