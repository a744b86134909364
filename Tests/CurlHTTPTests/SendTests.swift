import CurlHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SendTests {
  @Test func `H1: a GET returns the status, the headers and the body`() async throws {
    try await withSharedServer { test in
      let response = try await test.send(.get, "ok")
      #expect(response.status == 200)
      #expect(response.headers["content-type"] == "text/plain")
      #expect(response.text == "ok")
    }
  }

  @Test func `H1: a POST delivers its body and headers, whatever bytes they hold`() async throws {
    try await withServer { test in
      let body = [UInt8](0...255)
      let response = try await test.send(
        .post, "echo", headers: ["Content-Type": "application/octet-stream", "X-Empty": ""],
        body: body)
      let request = try response.echoed()
      #expect(request.method == "POST")
      #expect(request.body.unicodeScalars.map { UInt8($0.value) } == body)
      #expect(request.values(of: "content-type") == ["application/octet-stream"])
      #expect(request.values(of: "content-length") == ["256"])
      #expect(request.values(of: "x-empty") == [""])
    }
  }

  @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
  func `H2: a method arrives by its own name, with a body`(method: HTTPMethod) async throws {
    try await withSharedServer { test in
      let request = try await test.send(method, "echo", body: [0x61]).echoed()
      #expect(request.method == method.rawValue)
      #expect(request.body == "a")
      #expect(request.values(of: "Content-Type") == [])
      #expect(request.values(of: "Expect") == [])
    }
  }

  @Test(arguments: [HTTPMethod.post, .put, .patch])
  func `H2: an empty body is announced as empty`(method: HTTPMethod) async throws {
    try await withSharedServer { test in
      let request = try await test.send(method, "echo").echoed()
      #expect(request.method == method.rawValue)
      #expect(request.values(of: "Content-Length") == ["0"])
    }
  }

  @Test func `H2: DELETE without a body, and HEAD, carry none`() async throws {
    try await withServer { test in
      let request = try await test.send(.delete, "echo").echoed()
      #expect(request.method == "DELETE")
      #expect(request.values(of: "Content-Length") == [])
      let response = try await test.send(.head, "status/204")
      #expect(response.status == 204)
      #expect(response.body == [])
      #expect(try await test.log(of: "/status/204").map(\.method) == ["HEAD"])
    }
  }

  @Test func `H1: a body larger than a megabyte does not wait for a go-ahead`() async throws {
    try await withSharedServer { test in
      let body = [UInt8](repeating: 0x62, count: 3_000_000)
      let request = try await test.send(.post, "echo", body: body).echoed()
      #expect(request.body.utf8.count == body.count)
      #expect(request.values(of: "Expect") == [])
    }
  }

  @Test(arguments: [200, 201, 204, 301, 304, 404, 429, 500, 503, 599])
  func `H1: every status is a response`(status: Int) async throws {
    try await withSharedServer { test in
      let response = try await test.send(.get, "status/\(status)")
      #expect(response.status == status)
    }
  }

  @Test func `H6: a redirect is returned where none is to be followed`() async throws {
    try await withServer { test in
      let response = try await test.send(.get, "redirect")
      #expect(response.status == 302)
      #expect(response.headers["Location"] == "/ok")
      #expect(response.text == "elsewhere")
      #expect(try await test.log(of: "/ok") == [])
    }
  }

  @Test func `H1: response headers keep order and spelling, and repeat`() async throws {
    try await withSharedServer { test in
      let headers = try await test.send(.get, "headers").headers
      #expect(headers.values(for: "X-ONE") == ["1", "2"])
      #expect(headers["x-empty"] == "")
      #expect(headers["X-Long"] == "a b")
      #expect(headers["X-None"] == nil)
      #expect(
        headers.fields.map(\.name) == ["Content-Length", "X-One", "x-one", "X-Empty", "X-Long"])
    }
  }

  @Test func `H1: headers are those of the final response`() async throws {
    try await withSharedServer { test in
      let interim = try await test.send(.get, "interim")
      #expect(interim.status == 200)
      #expect(interim.headers["X-Interim"] == nil)
      #expect(interim.headers["X-Final"] == "yes")
      #expect(interim.text == "final")
      let trailers = try await test.send(.get, "trailers")
      #expect(trailers.headers["X-Trailer"] == nil)
      #expect(trailers.text == "body")
    }
  }

  @Test func `H1: a chunked body is joined`() async throws {
    try await withSharedServer { test in
      let response = try await test.send(.get, "chunked")
      #expect(response.text == "one two three")
    }
  }

  @Test(arguments: ["gzip", "deflate"])
  func `H5: a compressed body is decoded`(encoding: String) async throws {
    try await withSharedServer { test in
      let response = try await test.send(.get, "encoded/\(encoding)")
      #expect(response.text == String(repeating: "decoded ", count: 100))
      // A server compresses only what was asked for.
      let request = try await test.send(.get, "echo").echoed()
      #expect(request.values(of: "Accept-Encoding").joined().contains(encoding))
    }
  }

  @Test func `H2: credentials of the URL are sent as basic authentication only`() async throws {
    try await withServer(base: { "http://us%40er:p%3Ass@127.0.0.1:\($0.port)" }) { test in
      let request = try await test.send(.get, "echo").echoed()
      #expect(request.values(of: "Authorization") == ["Basic dXNAZXI6cDpzcw=="])
      #expect(request.target == "/echo")
      #expect(request.values(of: "Host") == ["127.0.0.1:\(test.server.port)"])
    }
  }

  @Test func `H2: the query and awkward path segments arrive as they were meant`() async throws {
    try await withServer(base: { $0.baseURL + "/echo?a=1" }) { test in
      let url = test.base.appending(segment: "x/../y?z#ü").appending(segment: "..")
        .appending(query: ["q": "a&b=c+d é", "empty": ""])
      let request = try await test.client.send(HTTPRequest(.get, url)).echoed()
      #expect(
        request.target
          == "/echo/x%2F..%2Fy%3Fz%23%C3%BC/%2E%2E?a=1&q=a%26b%3Dc%2Bd%20%C3%A9&empty=")
    }
  }

  @Test func `H2: an IPv6 literal works`() async throws {
    try await withServer(["--ipv6"], base: { "http://[::1]:\($0.port)" }) { test in
      let request = try await test.send(.get, "echo").echoed()
      #expect(request.values(of: "Host") == ["[::1]:\(test.server.port)"])
    }
  }
}
