import Testing

@testable import CurlHTTP

@Suite
struct ProxySettingsTests {
  @Test(
    arguments: [
      (["http_proxy": "p:1"], "http://h/", "p:1"),
      (["http_proxy": "p:1"], "https://h/", nil),
      (["HTTP_PROXY": "p:1"], "http://h/", nil),
      (["https_proxy": "p:1"], "https://h/", "p:1"),
      (["HTTPS_PROXY": "p:1"], "https://h/", "p:1"),
      (["HTTPS_PROXY": "p:1", "https_proxy": "p:2"], "https://h/", "p:2"),
      (["all_proxy": "p:1"], "http://h/", "p:1"),
      (["ALL_PROXY": "p:1"], "https://h/", "p:1"),
      (["ALL_PROXY": "p:1", "all_proxy": "p:2"], "https://h/", "p:2"),
      (["ALL_PROXY": "p:1", "http_proxy": "p:2"], "http://h/", "p:2"),
      ([:], "http://h/", nil),
    ] as [([String: String], String, String?)])
  func `H9: the variables count as curl documents`(
    variables: [String: String], url: String, proxy: String?
  ) throws {
    #expect(try settings(variables).route(to: HTTPURL(url)).proxy == proxy)
  }

  @Test(arguments: ["localhost", "localhost.", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"])
  func `H9: loopback is not proxied`(host: String) throws {
    let settings = settings(["http_proxy": "p:1", "https_proxy": "p:1", "all_proxy": "p:1"])
    #expect(try settings.route(to: HTTPURL("http://\(host)/")).proxy == nil)
    #expect(try settings.route(to: HTTPURL("https://\(host)/")).proxy == nil)
  }

  @Test(arguments: [
    ("*", "h", true), (" * ", "h", true), ("*.example", "a.example", false), ("a,*", "h", false),
    ("example.com", "example.com", true), ("example.com", "EXAMPLE.com.", true),
    ("EXAMPLE.com", "www.example.com", true), ("example.com", "notexample.com", false),
    ("www.example.com", "example.com", false), (".example.com", "example.com", true),
    (".example.com.", "a.example.com", true), ("a, b\tc,,d", "c", true), ("a b", "ab", false),
    ("example.com:80", "example.com", false), (".", "h", false), ("", "h", false),
    ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false), ("0.0.1", "10.0.0.1", false),
    ("10.0.0.0/8", "10.9.8.7", true), ("10.0.0.0/8", "11.0.0.0", false),
    ("10.9.8.7/8", "10.0.0.0", true), ("192.168.0.0/17", "192.168.127.1", true),
    ("192.168.0.0/17", "192.168.128.1", false), ("10.0.0.0/33", "10.0.0.0", false),
    ("10.0.0.0/0", "9.9.9.9", false), ("10.0.0.0/x", "10.0.0.0", false),
    ("10.0.0.0/32", "10.0.0.0", true), ("10.0.0.0/32", "10.0.0.1", false),
    ("2001:db8::/32", "[2001:db8:1::9]", true), ("2001:db8::/32", "[2001:db9::]", false),
    ("2001:db8:0:0:0:0:0:1", "[2001:db8::1]", true), ("10.0.0.0/8", "a.0.0.0.example", false),
    ("::/8", "0.1.2.3", false), ("/8", "h", false),
  ])
  func `H9: no_proxy names hosts, domains, addresses and networks`(
    exceptions: String, host: String, isDirect: Bool
  ) throws {
    for name in ["no_proxy", "NO_PROXY"] {
      let settings = settings(["all_proxy": "p:1", name: exceptions])
      let route = try settings.route(to: HTTPURL("http://\(host)/"))
      #expect((route.proxy == nil) == isDirect)
    }
  }

  @Test(arguments: [
    ("proxy.example:3128", "proxy.example:3128"), ("http://Proxy.example", "proxy.example:1080"),
    ("HTTPS://proxy.example/", "proxy.example:443"),
    ("http://u:p@proxy.example:8/", "proxy.example:8"),
    ("http://u:p@[2001:DB8::1]:8", "2001:db8::1:8"), ("[::1]", "::1:1080"), ("", "h.example:80"),
    ("socks5h://proxy.example:1", "h.example:80"), ("socks4://proxy.example", "h.example:80"),
  ])
  func `H12: requests share connections to the proxy they share, and else to their host`(
    proxy: String, key: String
  ) throws {
    let settings = settings(["all_proxy": proxy, "no_proxy": "direct.example"])
    #expect(try settings.route(to: HTTPURL("http://h.example./")).connectionKey == key)
    // A tunnel belongs to one host.
    #expect(try settings.route(to: HTTPURL("https://h.example/")).connectionKey == "h.example:443")
    let direct = try settings.route(to: HTTPURL("http://a.direct.example:8080/"))
    #expect(direct == Route(proxy: nil, connectionKey: "a.direct.example:8080"))
  }

  private func settings(_ variables: [String: String]) -> ProxySettings {
    ProxySettings { name in variables[name].flatMap { $0.isEmpty ? nil : $0 } }
  }
}
