import Foundation
import TestSupport
import Testing

@testable import CurlHTTP

/// Texts and numbers at the edges of what the client's values take.
@Suite(.timeLimit(.minutes(1)))
struct EdgeTests {
  // In a Swift string a combining mark belongs to the character before it; on the wire it does not.
  @Test(arguments: [
    ("http://h/p#\u{301}frag", "http://h/p"),
    ("http://h/p?\u{301}q", "http://h/p?%CC%81q"),
    ("http://h/a/..\u{301}/b", "http://h/a/..%CC%81/b"),
  ])
  func `H2: a mark that combines with a delimiter does not hide it`(
    text: String, expected: String
  ) throws {
    #expect(try HTTPURL(text).description == expected)
  }

  @Test func `H2: what stands before the first slash is the host, whatever follows the slash`() {
    // By its bytes the host of this URL is good.example.
    let host = try? HTTPURL("http://good.example/\u{338}@evil.example/").host
    #expect(host == nil || host == "good.example")
  }

  @Test(arguments: ["http://[1.2.3.4::]/", "http://[1.2.3.4::1]/"])
  func `H2: an IPv4 address ends an IPv6 address, and stands nowhere else in it`(text: String) {
    #expect(throws: HTTPClientError.self) { try HTTPURL(text) }
  }

  @Test(arguments: ["[0:0:0:0:0:0:0:1]", "localhost.", "[::ffff:127.0.0.1]"])
  func `H9: this machine by another spelling is this machine`(host: String) throws {
    #expect(try HTTPURL("http://\(host)/").isLoopback)
  }

  @Test func `H3: the shortest duration there is becomes a limit too`() async {
    await #expect(processExitsWith: .success) {
      _ = Duration.seconds(Int64.min).limitInMilliseconds
    }
  }

  @Test func `H2: a header value of white space is sent as empty or refused, never dropped`()
    async throws
  {
    try await withServer { test in
      // A refusal would be as good.
      let request = try await test.send(.get, "echo", headers: ["X-Blank": " "]).echoed()
      #expect(request.values(of: "X-Blank") == [""])
    }
  }

  // libcurl counts connections to a proxy as connections to one host, whatever hosts lie behind it.
  @Test func `H3, H12: behind a proxy, waiting for a connection does not eat the time limit`()
    async throws
  {
    try await PythonServer.run("fault_server") { server in
      _ = await #expect(processExitsWith: .success) { [proxy = server.baseURL as String] in
        unsafe setenv("http_proxy", proxy, 1)
        unsafe unsetenv("no_proxy")
        unsafe unsetenv("NO_PROXY")
        let client = HTTPClient(configuration: .init(connectionsPerHost: 1))
        let observer = HTTPClient()
        func ask(
          _ path: String, of client: HTTPClient, limit: Duration = .seconds(20)
        ) async throws {
          let url = try HTTPURL(path.hasPrefix("/") ? proxy + path : path)
          let limits = HTTPLimits(total: limit)
          _ = try await client.send(HTTPRequest(.get, url, limits: limits))
        }
        // Given one host's connection that is busy, and a request to another host.
        async let first: Void = ask("http://a.example/hold/a", of: client)
        try await ask("/log?path=/hold/a&count=1", of: observer)
        async let second: Void = ask("http://b.example/ok", of: client, limit: .seconds(1))
        // When more time passes than its limit.
        try? await ask("/slow", of: observer, limit: .milliseconds(1_500))
        try await ask("/release/a", of: observer)
        // Then it succeeds, then or before.
        try await first
        try await second
      }
    }
  }
}
