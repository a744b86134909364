/// How a request travels, and which requests share its connections.
struct Route: Equatable, Sendable {
  /// The proxy as the environment names it, or nil for none.
  var proxy: String?
  /// What libcurl counts the connections of this request under: a host and a port.
  var connectionKey: String
}

extension Route {
  static func key(host: some StringProtocol, port: some CustomStringConvertible) -> String {
    "\(host.lowercased()):\(port)"
  }

  /// The key of a proxy whose connections carry requests to any host; nil for SOCKS, which gives
  /// each host its own.
  static func key(sharedProxy proxy: String) -> String? {
    let colon = proxy.utf8.firstIndex(of: UInt8(ascii: ":")) ?? proxy.endIndex
    let hasScheme = proxy.utf8[colon...].starts(with: "://".utf8)
    let scheme = hasScheme ? proxy[..<colon].lowercased() : "http"
    guard scheme == "http" || scheme == "https" else { return nil }
    let rest = hasScheme ? proxy.utf8[colon...].dropFirst(3) : proxy.utf8[...]
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    let server =
      authority.split(
        separator: UInt8(ascii: "@"), omittingEmptySubsequences: false
      ).last ?? authority
    var host = server.prefix { $0 != UInt8(ascii: ":") }
    if server.first == UInt8(ascii: "["), let close = server.firstIndex(of: UInt8(ascii: "]")) {
      host = server[...close]
    }
    // libcurl's own defaults, CURLOPT_PROXY(3).
    let port = server[host.endIndex...].dropFirst()
    let defaultPort = scheme == "https" ? "443" : "1080"
    let name = String(decoding: host.filter { !"[]".utf8.contains($0) }, as: UTF8.self)
    return key(host: name, port: port.isEmpty ? defaultPort : String(Substring(port)))
  }
}
