import CurlHTTP
import TestSupport
import Testing

/// Where a response ends, said wrongly, twice, or not at all.
@Suite(.timeLimit(.minutes(5)))
struct FaultFramingTests {
  @Test(arguments: [
    ("Content-Length: -5", Expected.broken(.notHTTP)),
    ("Content-Length: 99999999999999999999", .failure(.bodyTooLarge(limit: 16_777_216))),
    ("Content-Length: four", .broken(.notHTTP)),
    ("Content-Length:", .broken(.notHTTP)),
    ("Content-Length: 4, 5", .broken(.conflictingLengths)),
    ("Content-Length: 4\r\nContent-Length: 04", .broken(.conflictingLengths)),
    ("Content-Length: 4, 4", .body("body")),
  ])
  func `H5: a length that is none is an error`(field: String, expected: Expected) async throws {
    try await withSharedServer { test in
      let outcome = try await test.wire("HTTP/1.1 200 OK\r\n\(field)\r\n\r\nbody")
      #expect(Expected(outcome) == expected)
    }
  }

  @Test(arguments: ["0x4", "4x", "+4", "4 4", "2 bytes"])
  func `H5: a length that only begins like one is an error`(value: String) async throws {
    try await withSharedServer { test in
      let outcome = try await test.wire("HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\nbody")
      // libcurl reads as far as there are digits, and cuts the body there.
      #expect(Expected(outcome) == .broken(.notHTTP))
    }
  }

  @Test(arguments: [
    ("Transfer-Encoding: chunked\r\nContent-Length: 3", Expected.body("body")),
    ("Content-Length: 3\r\nTransfer-Encoding: chunked", .body("body")),
    ("Transfer-Encoding: CHUNKED", .body("body")),
    ("Transfer-Encoding: rot13", .broken(.undecodable)),
    ("Transfer-Encoding: rot13, chunked", .broken(.undecodable)),
  ])
  func `H5: chunks count before a length, and other codings are errors`(
    fields: String, expected: Expected
  ) async throws {
    try await withSharedServer { test in
      let outcome = try await test.wire(
        "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n4\r\nbody\r\n0\r\n\r\n")
      #expect(Expected(outcome) == expected)
    }
  }

  @Test(arguments: [
    ("4;name=\"value\"\r\nbody\r\n0;last\r\n\r\n", Expected.body("body")),
    ("0004\r\nbody\r\n000\r\n\r\n", .body("body")),
    ("4\r\nbody\r\n0\r\nX-A: 1\r\nX-B: 2\r\n\r\n", .body("body")),
    ("0\r\n\r\n", .body("")),
    ("4\r\nbody\r\n0\r\n", .broken(.truncated)),
    ("4\r\nbody\r\n", .broken(.truncated)),
    ("4\r\nbo", .broken(.truncated)),
    ("", .broken(.truncated)),
    ("-4\r\nbody\r\n0\r\n\r\n", .broken(.notHTTP)),
    ("0x4\r\nbody\r\n0\r\n\r\n", .broken(.notHTTP)),
    ("\r\nbody\r\n0\r\n\r\n", .broken(.notHTTP)),
    ("4\r\nbodyX\r\n0\r\n\r\n", .broken(.notHTTP)),
    ("3\r\nbody\r\n0\r\n\r\n", .broken(.notHTTP)),
    ("10000000000000004\r\nbody\r\n0\r\n\r\n", .broken(.notHTTP)),
    ("ffffffffffffffff\r\nbody\r\n0\r\n\r\n", .broken(.notHTTP)),
  ])
  func `H5: chunks that do not add up are errors`(chunks: String, expected: Expected) async throws {
    try await withSharedServer { test in
      let outcome = try await test.wire(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
      #expect(Expected(outcome) == expected)
    }
  }

  @Test(arguments: [ServedTest.After.close, .half])
  func `H5: a body without a length ends with the connection`(after: ServedTest.After) async throws
  {
    try await withSharedServer { test in
      for version in ["1.0", "1.1"] {
        let outcome = try await test.wire("HTTP/\(version) 200 OK\r\n\r\nall of it", then: after)
        #expect(Expected(outcome) == .body("all of it"))
      }
    }
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n\r\nsome of it"), ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nsome"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome"), ("HTTP/1.1 200 OK\r\nX-"),
  ])
  func `H5: a body that ends in a reset is not whole`(text: String) async throws {
    try await withSharedServer { test in
      let outcome = try await test.wire(text, then: .reset)
      // What came before the reset may be lost with it.
      #expect(throws: HTTPClientError.self) { try outcome.get() }
    }
  }

  @Test(arguments: ["204 No Content", "304 Not Modified"])
  func `H5: a status without a body has none, whatever length it announces`(status: String)
    async throws
  {
    try await withSharedServer { test in
      for fields in ["Content-Length: 5", "Transfer-Encoding: chunked", "Content-Encoding: gzip"] {
        let outcome = try await test.wire("HTTP/1.1 \(status)\r\n\(fields)\r\n\r\n", then: .keep)
        #expect(Expected(outcome) == .body(""))
      }
    }
  }

  @Test(arguments: [
    "Content-Length: 5", "Transfer-Encoding: chunked", "Content-Length: 1000000000000",
    "Content-Encoding: gzip\r\nContent-Length: 5", "Connection: close",
  ])
  func `H5: a HEAD has no body, whatever it announces`(fields: String) async throws {
    try await withSharedServer { test in
      let outcome = try await test.wire(
        "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n", then: .keep, method: .head)
      #expect(Expected(outcome) == .body(""))
    }
  }

  @Test(arguments: [
    "just text", "<html></html>\n", "HTTP", "HTTP/", "HTTP/0.9 200 OK\r\n\r\nbody",
    "HTTP/3.0 200 OK\r\n\r\nbody", "ICY 200 OK\r\n\r\nbody",
    "RTSP/1.0 200 OK\r\n\r\nbody", "HTTP/1.1 99 Low\r\n\r\nbody", "HTTP/1.1 1000 High\r\n\r\nbody",
    "HTTP/1.1 20 OK\r\n\r\nbody", "HTTP/1.1 -20 OK\r\n\r\nbody", "HTTP/1.1\r\n\r\nbody",
    "\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", "SSH-2.0-OpenSSH_9.2p1\r\n",
    "220 mail.example ESMTP\r\n", "\u{0}\u{0}\u{12}\u{4}\u{0}\u{0}",
  ])
  func `H5: what is not HTTP 1 is an error and never a body`(text: String) async throws {
    try await withSharedServer { test in
      let outcome = try await test.wire(text)
      let error = #expect(throws: HTTPClientError.self) {
        try outcome.get()
      }
      let kinds = [
        HTTPClientError.Kind.brokenResponse(.notHTTP), .brokenResponse(.truncated),
        .brokenResponse(.empty),
      ]
      #expect(error.map { kinds.contains($0.kind) } == true, "\(error?.description ?? "")")
    }
  }
}
