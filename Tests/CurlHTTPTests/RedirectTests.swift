import TestSupport
import Testing

@testable import CurlHTTP

@Suite(.timeLimit(.minutes(5)))
struct RedirectTests {
  /// Time is the subject of other tests.
  private static let limits = HTTPLimits(connect: .seconds(3_600), total: .seconds(3_600))

  private func withFollowing(_ body: (ServedTest) async throws -> Void) async throws {
    try await withServer(
      configuration: .init(limits: Self.limits, redirects: .upTo(10), retries: .never), body)
  }

  /// The URL at which the server redirects to `target`.
  private func url(_ test: ServedTest, _ status: Int, to target: String) -> HTTPURL {
    test.base.appending(path: "redirect-to/\(status)").appending(query: ["to": target])
  }

  @Test(arguments: [
    ("/echo?a=1#f", "/echo?a=1"), ("../echo", "/echo"), ("../x/../echo", "/echo"),
  ])
  func `H6: a GET follows to the end, and its response says where it came from`(
    target: String, expected: String
  ) async throws {
    try await withFollowing { test in
      let response = try await test.client.send(HTTPRequest(.get, url(test, 302, to: target)))
      #expect(response.status == 200)
      #expect(try response.echoed().target == expected)
      #expect(response.url?.description == test.server.baseURL + expected)
    }
  }

  @Test func `H6: another server gets no credentials and no custom headers, nor on the way back`()
    async throws
  {
    try await withFollowing { test in
      try await PythonServer.run("fault_server") { other in
        let back = test.base.appending(path: "echo").description
        let there = "\(other.baseURL)/redirect-to/302?to=\(back)"
        var request = HTTPRequest(.get, url(test, 307, to: there))
        request.url = request.url.authenticated(as: .init(user: "ada", password: "pw"))
        request.headers = ["X-Api-Key": "s3cret", "Cookie": "a=b", "Accept": "text/x-own"]

        // A redirect within the server keeps them.
        let near = try await test.client.send(
          HTTPRequest(
            .get,
            url(test, 302, to: "/echo").authenticated(as: .init(user: "ada", password: "pw")),
            headers: request.headers)
        ).echoed()
        #expect(near.values(of: "X-Api-Key") == ["s3cret"])
        #expect(near.values(of: "Authorization").count == 1)

        let echo = try await test.client.send(request).echoed()
        #expect(echo.values(of: "X-Api-Key") == [])
        #expect(echo.values(of: "Cookie") == [])
        #expect(echo.values(of: "Authorization") == [])
        #expect(echo.values(of: "Accept") == ["text/x-own"])
      }
    }
  }

  @Test func `H6: a 303 to a POST is returned, and nothing else is asked`() async throws {
    try await withFollowing { test in
      let response = try await test.client.send(
        HTTPRequest(.post, url(test, 303, to: "/ok"), body: [1]))
      #expect(response.status == 303)
      #expect(response.headers["Location"] == "/ok")
      let landed = try await test.log(of: "/ok")
      #expect(landed == [])
    }
  }

  @Test(arguments: [301, 302])
  func `H6: a POST that would become a GET is an error, and nothing else is asked`(
    status: Int
  ) async throws {
    try await withFollowing { test in
      let error = await #expect(throws: HTTPClientError.self) {
        try await test.client.send(
          HTTPRequest(.post, url(test, status, to: "/ok"), body: [1]))
      }
      #expect(
        error?.kind
          == .redirectRefused(
            .changesMethod, status: status, location: test.server.baseURL + "/ok"))
      let landed = try await test.log(of: "/ok")
      #expect(landed == [])
    }
  }

  @Test(arguments: [307, 308])
  func `H6: 307 and 308 send a POST again with its body`(status: Int) async throws {
    try await withFollowing { test in
      let echo = try await test.client.send(
        HTTPRequest(
          .post, url(test, status, to: "/echo"), headers: ["Content-Type": "text/x-own"],
          body: [UInt8]("body".utf8))
      ).echoed()
      #expect(echo.method == "POST")
      #expect(echo.body == "body")
      #expect(echo.values(of: "Content-Type") == ["text/x-own"])
    }
  }

  @Test func `H6: a circle ends after ten redirects`() async throws {
    try await withFollowing { test in
      let error = await test.failure(of: .get, "around/3/0")
      #expect(error?.kind == .tooManyRedirects(limit: 10))
      #expect(error?.redirects.count == 10)
      for (place, count) in [(0, 4), (1, 4), (2, 3)] {
        let log = try await test.log(of: "/around/3/\(place)")
        #expect(log.count == count)
      }
    }
  }

  @Test func `H6: a 3xx without a Location that can be used is a response`() async throws {
    try await withFollowing { test in
      for target in ["", "javascript:alert(1)", "http:///x"] {
        let response = try await test.client.send(HTTPRequest(.get, url(test, 302, to: target)))
        #expect(response.status == 302)
        #expect(response.text == "elsewhere")
      }
      #expect(try await test.send(.get, "redirect-to/301").status == 301)
      #expect(try await test.send(.post, "redirect-to/301").status == 301)
    }
  }

  @Test func `H3: the total limit counts over all hops`() async throws {
    try await withFollowing { test in
      // Given a limit that ends in the second hop, which never answers
      let limits = HTTPLimits(connect: .seconds(3_600), total: .seconds(1))
      let error = await #expect(throws: HTTPClientError.self) {
        try await test.client.send(
          HTTPRequest(.get, url(test, 302, to: "/slow"), limits: limits))
      }
      #expect(error?.kind == .timedOut(.total, after: .seconds(1), bytesReceived: 0))
    }
  }

  @Test func `H10: cancelling ends a request that was redirected`() async throws {
    try await withFollowing { test in
      let request = HTTPRequest(.get, url(test, 302, to: "/slow"))
      let task = Task { try await test.client.send(request) }
      _ = try await test.log(of: "/slow", count: 1)
      task.cancel()
      let error = await #expect(throws: HTTPClientError.self) { try await task.value }
      #expect(error?.kind == .cancelled)
      #expect(error?.redirects == [request.url.description])
    }
  }
}
