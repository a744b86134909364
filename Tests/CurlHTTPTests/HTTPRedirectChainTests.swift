import Testing

@testable import CurlHTTP

@Suite
struct HTTPRedirectChainTests {
  private func chain(
    _ method: HTTPMethod = .get, _ url: String = "http://h/a", headers: HTTPHeaders = [:],
    body: [UInt8] = [], redirects: HTTPRedirects = .upTo(10)
  ) throws -> HTTPRedirectChain {
    HTTPRedirectChain(
      HTTPRequest(method, try HTTPURL(url), headers: headers, body: body), redirects: redirects)
  }

  @Test(arguments: [301, 302, 303, 307, 308], [HTTPMethod.get, .head])
  func `H6: GET and HEAD follow and stay what they are`(status: Int, method: HTTPMethod) throws {
    var chain = try chain(method)
    #expect(chain.receive(status: status, headers: ["Location": "b?c#d"]) == .follow)
    #expect(chain.request.method == method)
    #expect(chain.request.url.description == "http://h/b?c")
    #expect(chain.hops == ["http://h/a"])
  }

  @Test(arguments: [200, 201, 300, 304, 305, 306, 309, 399, 404, 503])
  func `H6: other statuses are responses, whatever their Location`(status: Int) throws {
    for method in HTTPMethod.allCases {
      var chain = try chain(method)
      #expect(chain.receive(status: status, headers: ["Location": "/b"]) == .deliver)
      #expect(chain.hops == [])
    }
  }

  @Test(
    arguments: [
      [:], ["Location": ""], ["Location": "http:///x"], ["Location": "javascript:alert(1)"],
      ["Location": "ftp://h/"], ["Location": "http:b"], ["Location": "a b"],
      ["Location": "/b", "location": "/c"],
    ] as [HTTPHeaders])
  func `H6: a redirect that does not clearly say where to is a response`(
    headers: HTTPHeaders
  ) throws {
    for status in [301, 302, 303, 307, 308] {
      for method in HTTPMethod.allCases {
        var chain = try chain(method)
        #expect(chain.receive(status: status, headers: headers) == .deliver)
        #expect(chain.request.url.description == "http://h/a")
      }
    }
  }

  @Test func `H6: the same Location twice is clear`() throws {
    var chain = try chain()
    #expect(
      chain.receive(status: 302, headers: ["Location": "/b", "location": "/b"]) == .follow)
  }

  @Test func `H6: never from https to http, but the other way`() throws {
    var secure = try chain(.get, "https://h/a")
    #expect(
      secure.receive(status: 301, headers: ["Location": "http://h/?token=s3cret"])
        == .fail(
          .redirectRefused(.insecure, status: 301, location: "http://h/?token=***")))
    var plain = try chain(.get, "http://h/a")
    #expect(plain.receive(status: 301, headers: ["Location": "https://h/a"]) == .follow)
    // Not on a detour either.
    #expect(
      plain.receive(status: 301, headers: ["Location": "http://h/b"])
        == .fail(.redirectRefused(.insecure, status: 301, location: "http://h/b")))
  }

  @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
  func `H6: a 303 to what changes something is the answer`(method: HTTPMethod) throws {
    for location in ["/posts/7", "http://elsewhere/"] {
      var chain = try chain(method, "https://h/posts", body: [1])
      #expect(chain.receive(status: 303, headers: ["Location": location]) == .deliver)
      #expect(chain.hops == [])
    }
  }

  @Test(arguments: [301, 302], [HTTPMethod.post, .put, .patch, .delete])
  func `H6: what changes something never becomes a GET`(status: Int, method: HTTPMethod) throws {
    var chain = try chain(method, "http://h/posts/", body: [1])
    #expect(
      chain.receive(status: status, headers: ["Location": "/posts"])
        == .fail(.redirectRefused(.changesMethod, status: status, location: "http://h/posts")))
  }

  @Test(arguments: [307, 308], [HTTPMethod.post, .put, .patch, .delete])
  func `H6: 307 and 308 send it again, to the same origin only`(
    status: Int, method: HTTPMethod
  ) throws {
    let headers: HTTPHeaders = ["Authorization": "a", "X-Own": "b", "Idempotency-Key": "c"]
    var same = try chain(method, "http://ada:pw@h:80/a", headers: headers, body: [1, 2])
    #expect(same.receive(status: status, headers: ["Location": "http://h/b"]) == .follow)
    #expect(
      same.request
        == HTTPRequest(method, try HTTPURL("http://ada:pw@h/b"), headers: headers, body: [1, 2]))
    for other in ["http://g/b", "http://h:81/b", "https://h/b"] {
      var chain = try chain(method, body: [1])
      guard
        case .fail(.redirectRefused(.leavesOrigin, status, _)) = chain.receive(
          status: status, headers: ["Location": other])
      else {
        Issue.record("\(method) was not refused at \(other).")
        continue
      }
    }
  }

  @Test(arguments: ["http://g/b", "http://h:81/b", "https://h/b"])
  func `H6: credentials and custom headers are dropped with the origin, for good`(
    other: String
  ) throws {
    let headers: HTTPHeaders = [
      "Authorization": "a", "accept": "b", "Cookie": "c", "X-Api-Key": "d", "User-Agent": "e",
      "Proxy-Authorization": "f", "Accept-Language": "g", "Referer": "h", "If-None-Match": "i",
      "Host": "j", "Accept-Encoding": "k", "Accept-Charset": "l", "Range": "m",
    ]
    var chain = try chain(.get, "http://ada:pw@h/a", headers: headers)
    #expect(chain.receive(status: 302, headers: ["Location": "/b"]) == .follow)
    #expect(chain.request.headers == headers)
    #expect(chain.request.url.hasCredentials)

    let kept: HTTPHeaders = [
      "accept": "b", "User-Agent": "e", "Accept-Language": "g", "Accept-Encoding": "k",
      "Accept-Charset": "l",
    ]
    #expect(chain.receive(status: 302, headers: ["Location": other]) == .follow)
    #expect(chain.request.headers == kept)
    #expect(!chain.request.url.hasCredentials)

    // Back where it began, as far as that is possible.
    let back = other.hasPrefix("https") ? "https://h/c" : "http://h/c"
    #expect(chain.receive(status: 302, headers: ["Location": back]) == .follow)
    #expect(chain.request.headers == kept)
    #expect(!chain.request.url.hasCredentials)
  }

  @Test func `H6: credentials in a Location are not used`() throws {
    var chain = try chain()
    #expect(chain.receive(status: 302, headers: ["Location": "http://eve:x@g/"]) == .follow)
    #expect(!chain.request.url.hasCredentials)
    #expect(chain.request.url.description == "http://g/")
  }

  @Test(arguments: [(10, 10), (1, 1), (0, 0), (-1, 0), (Int.min, 0)])
  func `H6: so many are followed and no more`(limit: Int, count: Int) throws {
    var chain = try chain(redirects: .upTo(limit))
    for _ in 0..<count {
      #expect(chain.receive(status: 302, headers: ["Location": "/a"]) == .follow)
    }
    #expect(
      chain.receive(status: 302, headers: ["Location": "/a"])
        == .fail(.tooManyRedirects(limit: count)))
    #expect(chain.hops.count == count)
  }

  @Test func `H6: none is followed where none is wanted`() throws {
    for method in HTTPMethod.allCases {
      var chain = try chain(method, "https://h/", redirects: .never)
      #expect(chain.receive(status: 302, headers: ["Location": "http://g/"]) == .deliver)
    }
  }

  @Test func `H11: the way is told without secrets`() throws {
    var chain = try chain(.get, "http://ada:hunter2@h/?token=hunter2")
    #expect(
      chain.receive(status: 302, headers: ["Location": "http://x:hunter2@g/?key=hunter2"])
        == .follow)
    #expect(chain.receive(status: 302, headers: ["Location": "/"]) == .follow)
    #expect(chain.hops == ["http://h/?token=***", "http://g/?key=***"])
  }
}
