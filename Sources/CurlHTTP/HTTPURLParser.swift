/// What is wrong with a URL, as the middle of a sentence that ends with a remedy.
struct HTTPURLFault: Error {
  var reason: String
}

/// Takes a URL apart and refuses what is not surely meant.
///
/// libcurl would accept no scheme at all, an empty host and `0x7f.1`; a program that checks a host
/// and then connects elsewhere is how requests are smuggled, so nothing is guessed here.
///
/// A URL is taken apart as bytes: to a string, a slash and a mark that combines with it are one
/// character, and no slash, while libcurl and the server see the slash.
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
    let withoutFragment = afterScheme.prefix { $0 != UInt8(ascii: "#") }
    let authority = withoutFragment.prefix { !"/?".utf8.contains($0) }
    let rest = withoutFragment[authority.endIndex...]
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    let query = rest[path.endIndex...].dropFirst()

    let at = authority.lastIndex(of: UInt8(ascii: "@"))
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

  private func parseScheme() throws(HTTPURLFault) -> (HTTPURL.Scheme, Substring.UTF8View) {
    let name = text.utf8.prefix { !":/?#@".utf8.contains($0) }
    let rest = text.utf8[name.endIndex...]
    guard rest.starts(with: "://".utf8), !name.isEmpty else {
      throw HTTPURLFault(reason: "it does not begin with http:// or https://")
    }
    let scheme = String(Substring(name))
    guard let scheme = HTTPURL.Scheme(rawValue: scheme.lowercased()) else {
      throw HTTPURLFault(
        reason: "its scheme is \"\(Redaction.visible(scheme))\"; use http or https")
    }
    return (scheme, rest.dropFirst(3))
  }

  private func parseCredentials(
    _ text: Substring.UTF8View
  ) throws(HTTPURLFault) -> HTTPURL.Credentials {
    let user = text.prefix { $0 != UInt8(ascii: ":") }
    let password = text[user.endIndex...].dropFirst()
    guard let user = PercentEncoding.decode(user), let password = PercentEncoding.decode(password),
      !user.utf8.contains(where: \.isControlByte), !password.utf8.contains(where: \.isControlByte)
    else {
      throw HTTPURLFault(
        reason: "its user name or password is not percent-encoded text without control characters")
    }
    // RFC 7617 section 2: the name ends at the first colon.
    if user.utf8.contains(UInt8(ascii: ":")) {
      throw HTTPURLFault(
        reason: "its user name contains a colon, which basic authentication cannot send")
    }
    return HTTPURL.Credentials(user: user, password: password)
  }

  private func parseHost(_ text: Substring.UTF8View) throws(HTTPURLFault) -> (String, Int?) {
    var host = text
    var port: Substring.UTF8View?
    if text.first == UInt8(ascii: "[") {
      guard let close = text.firstIndex(of: UInt8(ascii: "]")) else {
        throw HTTPURLFault(reason: "its IPv6 address has no closing bracket")
      }
      host = text[..<close].dropFirst()
      let rest = text[close...].dropFirst()
      guard rest.isEmpty || rest.first == UInt8(ascii: ":") else {
        throw HTTPURLFault(reason: "something other than a port follows its IPv6 address")
      }
      port = rest.isEmpty ? nil : rest.dropFirst()
      guard IPAddress(ipv6: Substring(host)) != nil else {
        throw HTTPURLFault(reason: "what stands in brackets is not an IPv6 address")
      }
    } else {
      if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
        host = text[..<colon]
        port = text[colon...].dropFirst()
      }
      if let fault = HostName.fault(of: Substring(host)) { throw fault }
    }
    return (Substring(host).lowercased(), try parsePort(port))
  }

  private func parsePort(_ text: Substring.UTF8View?) throws(HTTPURLFault) -> Int? {
    // RFC 3986 section 3.2.3 lets the colon stand alone.
    guard let text, !text.isEmpty else { return nil }
    guard text.allSatisfy({ $0.decimalDigitValue != nil }), let port = Int(Substring(text)),
      (1...65_535).contains(port)
    else { throw HTTPURLFault(reason: "its port is not a number from 1 to 65535") }
    return port
  }

  /// Resolves `.` and `..` in a path that is all ASCII (RFC 3986 section 5.2.4).
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
    // A login may hand out its token in the fragment (RFC 6749 section 4.2.2), which is never sent.
    let text = String(Substring(text.utf8.prefix { $0 != UInt8(ascii: "#") }))
    let at = text.utf8.lastIndex(of: UInt8(ascii: "@"))
    let tail = at.map { "…" + text[$0...] } ?? text
    let beforeQuery = tail.utf8.prefix { $0 != UInt8(ascii: "?") }
    let query = Redaction.query(String(tail[beforeQuery.endIndex...]))
    return Redaction.visible(String(Substring(beforeQuery)) + query)
  }
}
