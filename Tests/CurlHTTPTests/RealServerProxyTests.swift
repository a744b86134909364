import CurlHTTP
import TestSupport
import Testing

/// A real proxy before a server whose host only the proxy can find.
///
/// tinyproxy passes everything on to the fault server, which answers for any host.
@Suite(.timeLimit(.minutes(5)), .needs("tinyproxy", package: "tinyproxy-bin"))
struct RealServerProxyTests {
  @Test func `H9: plain requests and bodies go through the proxy`() async throws {
    try await withProxy { client, _ in
      let echoed = try await client.send(
        HTTPRequest(.post, HTTPURL("http://h.example/echo?a=1"), body: [0x61])
      ).echoed()
      #expect(echoed.body == "a")
      #expect(echoed.values(of: "Host") == ["h.example"])
      #expect(echoed.values(of: "Via") != [])
      // A proxy of HTTP/1.0 or 1.1, with or without a length of its own.
      for path in ["numbered/7/100000", "numbered/7/100000?frame=chunked", "encoded/gzip"] {
        let response = try await client.send(
          HTTPRequest(.get, HTTPURL("http://h.example/" + path)))
        #expect(response.text.hasPrefix(path.hasPrefix("numbered") ? "7;7;" : "decoded"))
        #expect(response.body.count == (path.hasPrefix("numbered") ? 100_000 : 800))
      }
    }
  }

  @Test func `H9: a request over TLS goes through its tunnel`() async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try await Certificates(in: directory)
      let pair = try await certificates.signed("h", hosts: "DNS:h.example")
      try await PythonServer.run("fault_server", pair.arguments) { server in
        try await withProxy(authority: certificates.authority) { client, _ in
          let url = try HTTPURL("https://h.example:\(server.port)/numbered/5/50000")
          let response = try await client.send(HTTPRequest(.get, url))
          #expect(response.body.count == 50_000)
          // What breaks behind the tunnel breaks as without one.
          let cut = try HTTPURL("https://h.example:\(server.port)/cut")
          let error = await #expect(throws: HTTPClientError.self) {
            try await client.send(HTTPRequest(.get, cut))
          }
          #expect(error?.kind == .brokenResponse(.truncated))
        }
      }
    }
  }

  @Test func `H9: what the proxy says about a plain request is a response`() async throws {
    try await withProxy("BasicAuth somebody S3CRET", user: "somebody:wr0ng@") { client, _ in
      let response = try await client.send(HTTPRequest(.get, HTTPURL("http://h.example/ok")))
      #expect(response.status == 401 || response.status == 407)
    }
  }

  @Test func `H9: a proxy that asks for a password gets it`() async throws {
    try await withProxy("BasicAuth somebody S3CRET", user: "somebody:S3CRET@") { client, _ in
      let url = try HTTPURL("http://h.example/echo")
      let echoed = try await client.send(HTTPRequest(.get, url)).echoed()
      #expect(echoed.values(of: "Authorization") == [])
      #expect(echoed.values(of: "Proxy-Authorization") == [])
    }
  }

  @Test(arguments: [
    ("BasicAuth somebody S3CRET", "somebody:wr0ngS3CRET@", 401),
    ("ConnectPort 1", "x:S3CRET@", 403), ("Deny 127.0.0.1", "x:S3CRET@", 403),
  ])
  func `H9, H11: a tunnel that is refused is an error without a secret, and nothing was sent`(
    option: String, user: String, status: Int
  ) async throws {
    try await withProxy(option, user: user) { client, _ in
      let url = try HTTPURL("https://h.example:4430/?token=S3CRET")
      let error = await #expect(throws: HTTPClientError.self) {
        try await client.send(HTTPRequest(.post, url))
      }
      // libcurl calls it a lost connection, and counts the question for the tunnel as sent.
      #expect(error?.kind == .proxyRefused(status: status))
      #expect(error?.isTransient == false)
      #expect(error?.mayHaveReachedServer == false)
      for text in ["\(error, default: "")", "\(error?.kind, default: "")"] {
        #expect(!text.contains("S3CRET"))
      }
      // "x:S3CRET" in base 64
      #expect(error.map { "\($0)".contains("eDpTM0NSRVQ") } == false)
    }
  }

  @Test func `H9, H11: a proxy that is not there is an error that does not name its password`()
    async throws
  {
    for scheme in ["http", "https"] {
      let error = try await withClient("http://somebody:S3CRET@127.0.0.1:1") { client in
        await #expect(throws: HTTPClientError.self) {
          try await client.send(HTTPRequest(.post, HTTPURL("\(scheme)://h.example/")))
        }
      }
      #expect(error?.kind == .couldNotConnect(host: "h.example"))
      #expect(error?.mayHaveReachedServer == false)
      #expect(error?.description.contains("S3CRET") == false)
    }
  }

  /// Runs tinyproxy before a fault server.
  private func withProxy(
    _ option: String = "", user: String = "", authority: String? = nil,
    _ body: (HTTPClient, PythonServer) async throws -> Void
  ) async throws {
    try await PythonServer.run("fault_server") { target in
      try await SystemServer.run(
        "tinyproxy", ["-d", "-c", "{configuration}"],
        configuration: { directory in
          """
          Port {port}
          Listen 127.0.0.1
          Timeout 600
          MaxClients 100
          LogFile "\(directory)/log"
          PidFile "\(directory)/pid"
          ViaProxyName "real"
          Upstream http 127.0.0.1:\(target.port)
          \(option)

          """
        }
      ) { proxy in
        try await withClient("http://\(user)127.0.0.1:\(proxy.port)", authority: authority) {
          try await body($0, target)
        }
      }
    }
  }

  private func withClient<Result>(
    _ proxy: String, authority: String? = nil, _ body: (HTTPClient) async throws -> Result
  ) async throws -> Result {
    var configuration = HTTPClient.Configuration.patient(certificateAuthorityFile: authority)
    configuration.proxy = .url(proxy)
    let client = HTTPClient(configuration: configuration)
    do {
      let result = try await body(client)
      await client.shutdown()
      return result
    } catch {
      await client.shutdown()
      throw error
    }
  }
}
