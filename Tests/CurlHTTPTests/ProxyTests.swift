import Foundation
import TestSupport
import Testing

@testable import CurlHTTP

@Suite(.timeLimit(.minutes(5)))
struct ProxyTests {
  @Test func `H9: a plain request goes to the proxy with its whole URL`() async throws {
    try await withServer { test in
      let proxy = "http://us%40er:secret@127.0.0.1:\(test.server.port)"
      let result = try await ask("http://h.example/echo?q=1", through: ["http_proxy": proxy])
      let request = try result.get().echoed()
      #expect(request.target == "http://h.example/echo?q=1")
      #expect(request.values(of: "Host") == ["h.example"])
      #expect(request.values(of: "Proxy-Authorization") == ["Basic dXNAZXI6c2VjcmV0"])
    }
  }

  @Test func `H9: a proxy of the configuration is used whatever the environment says, or none`()
    async throws
  {
    try await withServer { test in
      let proxy = "http://us:secret@127.0.0.1:\(test.server.port)"
      var configuration = HTTPClient.Configuration.patient()
      configuration.proxy = .url(proxy)
      let client = HTTPClient(configuration: configuration)
      let request = HTTPRequest(.get, try HTTPURL("http://h.example/echo"))
      let echoed = try await client.send(request).echoed()
      #expect(echoed.target == "http://h.example/echo")
      // Loopback is reached directly.
      let direct = try await client.send(HTTPRequest(.get, test.base.appending(path: "echo")))
      #expect(try direct.echoed().target == "/echo")
      await client.shutdown()
      #expect("\(configuration)".contains("secret") == false)
      var dumped = ""
      dump(configuration, to: &dumped)
      #expect(!dumped.contains("secret"))
    }
    let variables = ["http_proxy": "http://other.example"]
    let url = try HTTPURL("http://h.example/")
    #expect(ProxySettings(.none, variable: { variables[$0] }).route(to: url).proxy == nil)
    #expect(
      ProxySettings(.environment, variable: { variables[$0] }).route(to: url).proxy
        == "http://other.example")
    #expect(
      ProxySettings(.url("http://p"), variable: { variables[$0] }).route(to: url).proxy
        == "http://p")
  }

  @Test func `H9: a request over TLS goes through a tunnel, whose headers are not the response's`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let certificates = try await Certificates(in: directory)
      let pair = try await certificates.signed("h", hosts: "DNS:h.example")
      try await PythonServer.run("fault_server", pair.arguments) { server in
        try await withServer { test in
          let result = try await ask(
            "https://h.example:\(server.port)/ok", through: ["HTTPS_PROXY": test.server.baseURL],
            authority: certificates.authority)
          let response = try result.get()
          #expect(response.text == "ok")
          #expect(response.headers["X-Tunnel"] == nil)
          let log = try await test.log(of: "h.example:\(server.port)")
          #expect(log.map(\.method) == ["CONNECT"])
        }
      }
    }
  }

  @Test func `H11: the password of a proxy that cannot be used is not repeated`() async throws {
    for (proxy, shown) in [
      ("socks9://user:S3CRET@127.0.0.1:1", "socks9://…@127.0.0.1:1"),
      ("socks9://us@er:S3/C'RET S3CRET@127.0.0.1:1", "S3CRET"),
      ("user:S3CRET@127.0.0.1:99999", "…@127.0.0.1:99999"),
    ] {
      let result = try await ask("http://h.invalid/", through: ["all_proxy": proxy])
      let error = #expect(throws: HTTPClientError.self) { try result.get() }
      #expect(error?.libcurlMessage.contains("S3CRET") == false)
      #expect(error?.description.contains("S3CRET") == false)
      if shown != "S3CRET" { #expect(error?.libcurlMessage.contains("'\(shown)'") == true) }
    }
  }

  // libcurl counts connections to a proxy as connections to one host, whatever lies behind it.
  @Test func `H3, H12: behind a proxy, waiting for a connection does not eat the time limit`()
    async throws
  {
    try await PythonServer.run("fault_server") { server in
      // In a process of its own, as the variable is the environment's.
      _ = await #expect(processExitsWith: .success) { [proxy = server.baseURL as String] in
        unsafe setenv("http_proxy", proxy, 1)
        unsafe unsetenv("no_proxy")
        unsafe unsetenv("NO_PROXY")
        let client = HTTPClient(configuration: .patient(connectionsPerHost: 1))
        let observer = HTTPClient.patient
        func ask(
          _ path: String, of client: HTTPClient, limit: Duration = .seconds(3_600)
        ) async throws {
          let url = try HTTPURL(path.hasPrefix("/") ? proxy + path : path)
          let limits = HTTPLimits.patient(total: limit)
          _ = try await client.send(HTTPRequest(.get, url, limits: limits))
        }
        // Given one host's connection that is busy, and a request to another host.
        async let first: Void = ask("http://a.example/hold/a", of: client)
        try await ask("/log?path=/hold/a&count=1", of: observer)
        async let second: Void = ask("http://b.example/ok", of: client, limit: .seconds(4))
        // When more time passes than its limit.
        try? await ask("/slow", of: observer, limit: .seconds(5))
        try await ask("/release/a", of: observer)
        // Then it succeeds, then or before.
        try await first
        try await second
      }
    }
  }

  /// Sends one GET with a loop of its own, which takes these for the environment's variables.
  private func ask(
    _ text: String, through variables: [String: String], authority: String? = nil
  ) async throws -> Result<HTTPResponse, HTTPClientError> {
    let loop = TransferLoop(
      configuration: .patient(certificateAuthorityFile: authority),
      proxies: ProxySettings { variables[$0] })
    let thread = try #require(LoopThread { loop.run() })
    let result = await loop.perform(HTTPRequest(.get, try HTTPURL(text)))
    loop.stop()
    await loop.waitUntilClosed()
    thread.join()
    return result
  }
}
