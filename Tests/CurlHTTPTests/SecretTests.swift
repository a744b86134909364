import TestSupport
import Testing

@testable import CurlHTTP

/// H11: whatever is printed of an exchange, no secret is in it.
@Suite(.timeLimit(.minutes(5)))
struct SecretTests {
  private let secret = "hunter2"

  /// A request with a secret in each place that can hold one.
  private func request(_ base: String, _ method: HTTPMethod = .get) throws -> HTTPRequest {
    HTTPRequest(
      method, try HTTPURL(base + "?access_token=\(secret)&page=1&%74oken=\(secret)"),
      headers: [
        "Authorization": "Bearer \(secret)", "Cookie": "session=\(secret)", "X-Api-Key": secret,
        "Proxy-Authorization": "Basic \(secret)", "Idempotency-Key": secret,
      ])
  }

  private func expectNoSecret(
    _ values: [Any], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in [dumped, "\(value)", String(reflecting: value)] {
        #expect(!text.contains(secret), "\(text)", sourceLocation: sourceLocation)
        // Credentials are sent in base64; that is no disguise.
        #expect(!text.contains("aHVudGVyMg"), "\(text)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: HTTPMethod.allCases)
  func `H11: no event, error or response of an exchange prints a secret`(
    method: HTTPMethod
  ) async throws {
    let elsewhere = "//eve:\(secret)@g/b?signature=\(secret)#\(secret)"
    for status in [301, 307] {
      for location in [
        elsewhere, "https:" + elsewhere, "/b?code=\(secret)", "ftp:" + elsewhere,
        "/a b?token=\(secret)",
        "?password=\(secret)",
      ] {
        let attempts = ScriptedAttempts([
          .error(.connectionLost), .status(status, ["Location": location]),
          .status(302, ["Location": location]),
          .status(503, ["Retry-After": "9999", "Set-Cookie": "session=\(secret)"]),
        ])
        let request = try request("https://ada:\(secret)@h/a", method)
        let result = await attempts.performThroughPauses(request, pauses: [.milliseconds(500)])
        #expect(attempts.events.count > 3)
        expectNoSecret(attempts.events.values)
        expectNoSecret([result.error as Any, result.response?.url as Any, result.response as Any])
        expectNoSecret([request, attempts.sent.values.map(\.url)])
      }
    }
  }

  @Test(arguments: [
    ("Location", "https://eve:hunter2@g/?page=1#hunter2"), ("location", "/b?token=hunter2"),
    ("Content-Location", "//eve:hunter2@g/"), ("Referer", "http://h/#access_token=hunter2"),
    ("Link", "<?page=2>; rel=next, <?token=hunter2&page=3>; rel=last"), ("Set-Cookie", "hunter2"),
  ])
  func `H11: a header that holds a URL prints it without its secrets`(name: String, value: String) {
    let headers = HTTPHeaders([.init(name: name, value: value)])
    expectNoSecret([headers, headers.fields, HTTPResponse(status: 302, headers: headers)])
    if value.contains("page=1") { #expect("\(headers)".contains("…@g/?page=1")) }
    if name == "Link" { #expect("\(headers)".contains("page=3")) }
  }

  @Test(arguments: [
    ("next=https://eve:hunter2@g/", "next=***"), ("next=//eve:hunter2@g/", "next=***"),
    ("next=https%3A%2F%2Feve%3Ahunter2%40g%2F&a=1", "next=***&a=1"),
    ("next=https://g/?token=hunter2", "next=***"),
    ("next=https%3A%2F%2Fg%2F%3Fa%3D1%26token%3Dhunter2", "next=***"),
    ("next=https://g/b?page=2", "next=https://g/b?page=2"), ("next=/b?page=2", "next=/b?page=2"),
    ("mail=ada@example.com", "mail=ada@example.com"), ("a=1/2@3", "a=1/2@3"),
  ])
  func `H11: a URL inside a query is printed without its secrets`(
    query: String, expected: String
  ) throws {
    #expect(try HTTPURL("http://h/?" + query).description == "http://h/?" + expected)
  }

  @Test func `H11: URLs inside URLs without end end`() throws {
    let query = String(repeating: "a=x://?", count: 50_000)
    #expect(try HTTPURL("http://h/?" + query).description == "http://h/?a=***")
  }

  @Test func `H11: the way of a circle prints no secret`() async throws {
    let attempts = ScriptedAttempts(
      Array(repeating: .status(302, ["Location": "//eve:\(secret)@h/?key=\(secret)"]), count: 20))
    let error = await attempts.perform(try request("http://ada:\(secret)@h/")).error
    #expect(error?.kind == .tooManyRedirects(limit: 10))
    expectNoSecret([error as Any] + attempts.events.values)
  }

  @Test func `H11: real failures print no secret`() async throws {
    let events = Recorder<HTTPEvent>()
    let configuration = HTTPClient.Configuration(
      retries: HTTPRetries(attempts: 2, baseDelay: .zero), observer: { events.record($0) })
    try await withServer(configuration: configuration) { test in
      let base = "http://ada:\(secret)@127.0.0.1:\(test.server.port)"
      for path in ["/empty", "/reset", "/garbage", "/cut", "/redirect-to/302"] {
        await #expect(throws: HTTPClientError.self) {
          var request = try request(base + path)
          if path.hasPrefix("/redirect") {
            request.url = try HTTPURL(
              base + path + "?to=http://eve:\(secret)@127.0.0.1:1/?key=\(secret)")
          }
          do throws(HTTPClientError) {
            _ = try await test.client.send(request)
          } catch {
            expectNoSecret([error])
            throw error
          }
        }
      }
    }
    #expect(events.count > 10)
    expectNoSecret(events.values)
  }

  @Test func `H11: a proxy that cannot be used is named without its password`() async throws {
    let proxies = ProxySettings { name in
      name == "http_proxy" ? "http://ada:\(secret)@127.0.0.1:1" : nil
    }
    let events = Recorder<HTTPEvent>()
    let configuration = HTTPClient.Configuration(
      retries: .never, observer: { events.record($0) })
    let loop = TransferLoop(configuration: configuration, proxies: proxies)
    let thread = try #require(LoopThread { loop.run() })
    let exchanges = HTTPExchanges(HTTPExchangeSettings(configuration: configuration))
    let request = try request("http://h.invalid/")
    let result = await exchanges.perform(request) { await loop.perform($0) }
    loop.stop()
    await loop.waitUntilClosed()
    thread.join()
    #expect(result.error != nil)
    expectNoSecret([result.error as Any] + events.values)
  }
}
