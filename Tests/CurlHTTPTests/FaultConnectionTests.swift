import CurlHTTP
import TestSupport
import Testing

/// Which response belongs to which request, and which connection may be used again.
@Suite(.timeLimit(.minutes(5)))
struct FaultConnectionTests {
  private static let stray = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray"

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", HTTPMethod.get),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n", .get),
    ("HTTP/1.1 204 No Content\r\n\r\n", .get),
    ("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", .get),
    ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .get),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", .head),
    ("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone", .delete),
  ])
  func `H5: bytes after the end of a response are not taken for the next one`(
    response: String, method: HTTPMethod
  ) async throws {
    try await withServer { test in
      for round in 0..<5 {
        let outcome = try await test.wire(response + Self.stray, then: .keep, method: method)
        // To refuse it is fine as well; the bytes may even come together with the end.
        if case .success(let response) = outcome { #expect(!response.text.contains("stray")) }
        let next = try await test.send(.get, "numbered/\(round)/4")
        #expect(next.text == "\(round);\(round);")
      }
    }
  }

  @Test(arguments: [false, true])
  func `H5: bytes that come long after a response are not taken for the next one`(isSecure: Bool)
    async throws
  {
    try await (isSecure ? withSecureServer : withPlainServer) { test in
      // Given a response that is whole, and a connection that is kept
      let text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok|" + Self.stray
      let first = try await test.client.send(test.wireRequest(text.utf8, then: "late-k"))
      #expect(first.text == "ok")
      // When bytes come that nobody asked for, while nobody asks
      try await test.release("k")
      let observer = HTTPClient(configuration: test.configuration)
      let url = test.base.appending(path: "hold/ksent")
      #expect(try await observer.send(HTTPRequest(.get, url)).text == "ksent")
      await observer.shutdown()
      // Then the next request gets its own answer
      let next = try await test.send(.get, "numbered/7/4")
      #expect(next.text == "7;7;")
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nconnection: Keep-Alive, CLOSE\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
  ])
  func `H12: a connection that the server gives up is not used again`(text: String) async throws {
    try await withServer { test in
      // Given a server that would go on all the same
      let outcome = try await test.wire(text, then: .keep)
      #expect(Expected(outcome) == .body("ok"))
      #expect(try await test.send(.get, "ok").text == "ok")
      #expect(try await test.log(of: "/ok").map(\.connection) == [2])
    }
  }

  @Test(arguments: [
    "HTTP/1.1 500 Error\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.1 404 None\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok",
  ])
  func `H12: a connection is used again after every whole response`(text: String) async throws {
    try await withServer { test in
      let outcome = try await test.wire(text, then: .keep)
      #expect(Expected(outcome) == .body("ok"))
      #expect(try await test.send(.get, "ok").text == "ok")
      #expect(try await test.log(of: "/ok").map(\.connection) == [1])
    }
  }

  @Test(arguments: [ServedTest.After.close, .reset, .half])
  func `H12: a kept connection that is gone is replaced without an error`(after: ServedTest.After)
    async throws
  {
    try await withServer { test in
      for round in 0..<20 {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        // The reset may overtake the response.
        let outcome = try await test.wire(text, then: after)
        #expect(after == .reset || Expected(outcome) == .body("ok"))
        let next = try await test.send(.get, "numbered/\(round)/3")
        #expect(next.text.hasPrefix("\(round)"))
      }
    }
  }

  @Test(arguments: [200, 413])
  func `H1: an answer that comes before the body was sent is the answer`(status: Int) async throws {
    try await withServer { test in
      let body = [UInt8](repeating: 1, count: 8_000_000)
      for method in [HTTPMethod.post, .put, .put] {
        let early = try await test.send(method, "unread-early/\(status)", body: body)
        #expect(early.status == status)
        #expect(early.text == "early")
        // And what of the body was not sent is not the beginning of the next request.
        let next = try await test.send(.put, "echo", body: [0x61])
        #expect(try next.echoed().body == "a")
      }
    }
  }

  @Test func `H1: repeated fields that should be single are all there`() async throws {
    try await withSharedServer { test in
      let outcome = try await test.wire(
        "HTTP/1.1 201 Created\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
      #expect(try outcome.get().headers.values(for: "location") == ["/a", "/b"])
    }
  }

  @Test(arguments: ["X-A: a\rX-B: b", "X-A: a\u{0}b"])
  func `H1: a field with a control byte that could end it is refused or mended`(field: String)
    async throws
  {
    try await withSharedServer { test in
      let outcome = try await test.wire(
        "HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 4\r\n\r\nbody")
      switch outcome {
      case .failure(let error): #expect(error.kind == .brokenResponse(.notHTTP))
      case .success(let response):
        let texts = response.headers.fields.flatMap { [$0.name, $0.value] }
        // RFC 9110 section 5.5 asks for one of the two.
        #expect(texts.allSatisfy { !$0.utf8.contains { $0 == 0x0D || $0 == 0 } })
      }
    }
  }
}
