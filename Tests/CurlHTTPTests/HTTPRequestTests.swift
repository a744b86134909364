import CurlHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPRequestTests {
  @Test(arguments: [
    ("", "v", "the name is empty"),
    ("X Y", "v", "the name contains a space, which is not allowed in a header name"),
    ("X:", "v", "the name contains \":\", which is not allowed in a header name"),
    (
      "X\r\nEvil", "v", "the name contains a carriage return, which is not allowed in a header name"
    ),
    ("Ü", "v", "the name contains the byte 0xC3, which is not allowed in a header name"),
    (
      "X", "a\r\nEvil: 1",
      "the value contains a carriage return, which would end or corrupt the header"
    ),
    ("X", "a\nb", "the value contains a line feed, which would end or corrupt the header"),
    ("X", "a\u{0}b", "the value contains a NUL byte, which would end or corrupt the header"),
    ("X", "a\u{7F}b", "the value contains the byte 0x7F, which would end or corrupt the header"),
    ("content-length", "7", "the client sets this header itself, from the body"),
    ("Transfer-Encoding", "chunked", "the client sets this header itself, from the body"),
  ])
  func `H2: a header that would break the request is refused before anything is sent`(
    name: String, value: String, reason: String
  ) async throws {
    // Given a URL at which nothing listens: an attempt to send would be another error.
    var request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:1"))
    request.headers.append(name, value)
    let client = HTTPClient.patient
    let error = await #expect(throws: HTTPClientError.self) { try await client.send(request) }
    #expect(error?.kind == .invalidHeader(name: name, reason: reason))
    #expect(error?.mayHaveReachedServer == false)
    await client.shutdown()
  }

  @Test(arguments: [HTTPMethod.get, .head])
  func `H2: a body where none is allowed is refused`(method: HTTPMethod) async throws {
    let request = HTTPRequest(method, try HTTPURL("http://127.0.0.1:1"), body: [1])
    let client = HTTPClient.patient
    let error = await #expect(throws: HTTPClientError.self) { try await client.send(request) }
    #expect(error?.kind == .invalidRequest("A \(method) request cannot have a body."))
    await client.shutdown()
  }

  @Test(arguments: [
    (HTTPLimits(bodySize: -1), "The limit bodySize is -1 bytes, which no response can keep to."),
    (
      HTTPLimits(headerSize: Int.min),
      "The limit headerSize is -9223372036854775808 bytes, which no response can keep to."
    ),
  ])
  func `H4: a negative limit is refused, whoever set it`(limits: HTTPLimits, reason: String)
    async throws
  {
    let url = try HTTPURL("http://127.0.0.1:1")
    let client = HTTPClient.patient
    let strict = HTTPClient(configuration: .init(limits: limits))
    let attempts = [
      (client, HTTPRequest(.get, url, limits: limits)), (strict, HTTPRequest(.get, url)),
    ]
    for (client, request) in attempts {
      let error = await #expect(throws: HTTPClientError.self) { try await client.send(request) }
      #expect(error?.kind == .invalidRequest(reason))
      await client.shutdown()
    }
  }

  @Test(arguments: ["", " ", "\t", " \t "])
  func `H2: a header value of white space is sent as an empty one`(value: String) async throws {
    try await withSharedServer { test in
      let request = try await test.send(.get, "echo", headers: ["X-Blank": value]).echoed()
      #expect(request.values(of: "X-Blank") == [""])
    }
  }

  @Test func `H2: a tab and text beyond ASCII pass in a value`() async throws {
    try await withSharedServer { test in
      let headers: HTTPHeaders = ["X-Tab": "a\tb", "X-Text": "grün"]
      let request = try await test.send(.get, "echo", headers: headers).echoed()
      #expect(request.values(of: "X-Tab") == ["a\tb"])
      // The server shows each byte as one character.
      #expect(request.values(of: "X-Text") == ["grÃ¼n"])
    }
  }

  @Test func `headers are found without regard to case, and replaced in place`() {
    var headers: HTTPHeaders = ["Accept": "a", "X-One": "1", "accept": "b"]
    #expect(headers["ACCEPT"] == "a")
    #expect(headers.values(for: "accept") == ["a", "b"])
    headers["accept"] = "c"
    #expect(headers == ["accept": "c", "X-One": "1"])
    headers["X-ONE"] = nil
    headers["New"] = "n"
    #expect(headers == ["accept": "c", "New": "n"])
    // U+212A looks like a K and lowercases to one; it is not the same name.
    #expect(HTTPHeaders([.init(name: "\u{212A}", value: "v")])["k"] == nil)
  }
}
