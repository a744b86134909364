/// What is wrong with a URL, as the middle of a sentence that ends with a remedy.
struct HTTPURLFault: Error {
  var reason: String
}

/// Takes a URL apart and refuses what is not surely meant.
///
/// libcurl would accept no scheme at all, an empty host and `0x7f.1`; a program that checks a host
/// and then connects elsewhere is how requests are smuggled, so nothing is guessed here.
struct HTTPURLParser {
  struct Parts {
    var scheme: HTTPURL.Scheme
    var credentials: HTTPURL.Credentials?
    var host: String
    var port: Int?
    var path: String
    var query: String?
  }

  private let text: String

  init(_ text: String) { self.text = text }

  func parse() throws(HTTPURLFault) -> Parts {
    try checkCharacters()
    let (scheme, afterScheme) = try parseScheme()
    let withoutFragment = afterScheme.prefix { $0 != "#" }
    let authority = withoutFragment.prefix { $0 != "/" && $0 != "?" }
    let rest = withoutFragment[authority.endIndex...]
    let path = rest.prefix { $0 != "?" }
    let query = rest[path.endIndex...].dropFirst()

    let at = authority.lastIndex(of: "@")
    let credentials = try at.map { at throws(HTTPURLFault) in
      try parseCredentials(authority[..<at])
    }
    let (host, port) = try parseHost(
      authority[(at.map(authority.index(after:)) ?? authority.startIndex)...])
    for part in [path, query] where !PercentEncoding.isWellFormed(part) {
      throw HTTPURLFault(
        reason: "a percent sign is not followed by two hexadecimal digits; write it as %25")
    }
    return Parts(
      scheme: scheme, credentials: credentials, host: host, port: port,
      path: HTTPURLParser.withoutDotSegments(PercentEncoding.beyondASCII(path)),
      query: path.endIndex == rest.endIndex ? nil : PercentEncoding.beyondASCII(query))
  }

  private func checkCharacters() throws(HTTPURLFault) {
    if text.isEmpty { throw HTTPURLFault(reason: "it is empty") }
    let refused = text.utf8.first { $0 <= 0x20 || $0 == 0x7F || "\"<>\\^`{|}".utf8.contains($0) }
    if let refused {
      let code = String(refused, radix: 16, uppercase: true)
      throw HTTPURLFault(
        reason: "it contains \(refused.visible); write it as %\(refused < 16 ? "0" : "")\(code)")
    }
  }

  private func parseScheme() throws(HTTPURLFault) -> (HTTPURL.Scheme, Substring) {
    let name = text.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" && $0 != "@" }
    let rest = text[name.endIndex...]
    guard rest.hasPrefix("://"), !name.isEmpty else {
      throw HTTPURLFault(reason: "it does not begin with http:// or https://")
    }
    guard let scheme = HTTPURL.Scheme(rawValue: name.lowercased()) else {
      throw HTTPURLFault(
        reason: "its scheme is \"\(Redaction.visible(String(name)))\"; use http or https")
    }
    return (scheme, rest.dropFirst(3))
  }

  private func parseCredentials(_ text: Substring) throws(HTTPURLFault) -> HTTPURL.Credentials {
    let user = text.prefix { $0 != ":" }
    let password = text[user.endIndex...].dropFirst()
    guard let user = PercentEncoding.decode(user), let password = PercentEncoding.decode(password),
      !user.utf8.contains(where: \.isControlByte), !password.utf8.contains(where: \.isControlByte)
    else {
      throw HTTPURLFault(
        reason: "its user name or password is not percent-encoded text without control characters")
    }
    // RFC 7617 section 2: the name ends at the first colon.
    if user.contains(":") {
      throw HTTPURLFault(
        reason: "its user name contains a colon, which basic authentication cannot send")
    }
    return HTTPURL.Credentials(user: user, password: password)
  }

  private func parseHost(_ text: Substring) throws(HTTPURLFault) -> (String, Int?) {
    var host = text
    var port: Substring?
    if text.hasPrefix("[") {
      guard let close = text.firstIndex(of: "]") else {
        throw HTTPURLFault(reason: "its IPv6 address has no closing bracket")
      }
      host = text[text.index(after: text.startIndex)..<close]
      let rest = text[text.index(after: close)...]
      guard rest.isEmpty || rest.hasPrefix(":") else {
        throw HTTPURLFault(reason: "something other than a port follows its IPv6 address")
      }
      port = rest.isEmpty ? nil : rest.dropFirst()
      guard HostName.isIPv6(host) else {
        throw HTTPURLFault(reason: "what stands in brackets is not an IPv6 address")
      }
    } else {
      if let colon = text.firstIndex(of: ":") {
        host = text[..<colon]
        port = text[text.index(after: colon)...]
      }
      if let fault = HostName.fault(of: host) { throw fault }
    }
    return (host.lowercased(), try parsePort(port))
  }

  private func parsePort(_ text: Substring?) throws(HTTPURLFault) -> Int? {
    // RFC 3986 section 3.2.3 lets the colon stand alone.
    guard let text, !text.isEmpty else { return nil }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(text),
      (1...65_535).contains(port)
    else { throw HTTPURLFault(reason: "its port is not a number from 1 to 65535") }
    return port
  }

  /// Resolves `.` and `..` (RFC 3986 section 5.2.4).
  static func withoutDotSegments(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for segment in segments {
      switch segment {
      case ".": continue
      case "..": _ = kept.popLast()
      default: kept.append(segment)
      }
    }
    let endsInDots = segments.last == "." || segments.last == ".."
    if endsInDots && !kept.isEmpty { kept.append("") }
    return "/" + kept.joined(separator: "/")
  }

  /// Text that is not a URL, without what may be a password, and safe to print.
  static func withoutCredentials(_ text: String) -> String {
    let tail = text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text
    let parts = tail.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count == 2 ? "?" + Redaction.query(String(parts[1])) : ""
    return Redaction.visible(String(parts.first ?? "") + query)
  }
}
