/// Keeps secrets out of what is printed, and control characters out of the reader's terminal.
enum Redaction {
  /// The query with `***` for each value whose name suggests a secret.
  ///
  /// Names are judged after decoding, so that `%74oken` hides nothing from this. A value that is a
  /// URL with a secret of its own, such as where to go after a login, is replaced as well.
  static func query(_ query: String) -> String { self.query(query, depth: 0) }

  private static func query(_ query: String, depth: Int) -> String {
    query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
      guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return Substring(item) }
      let name = PercentEncoding.decode(item[..<equals]) ?? String(Substring(item[..<equals]))
      let isHidden = isSecret(name) || isURLWithSecret(item[equals...].dropFirst(), depth: depth)
      return isHidden ? Substring(item[...equals]) + "***" : Substring(item)
    }.joined(separator: "&")
  }

  /// Whether a value in a query is a URL with credentials or with a secret in its own query.
  private static func isURLWithSecret(_ value: Substring.UTF8View, depth: Int) -> Bool {
    let text = PercentEncoding.decode(value) ?? String(Substring(value))
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count > 2, parts[1].isEmpty else { return false }
    // Whoever nests deeper than any program does has something to hide, or wants our stack.
    if depth == 3 || text.utf8.contains(UInt8(ascii: "@")) { return true }
    let beforeQuery = text.utf8.prefix { $0 != UInt8(ascii: "?") }
    let nested = String(text[beforeQuery.endIndex...].dropFirst())
    return query(nested, depth: depth + 1) != nested
  }

  /// Whether a parameter or header with this name is likely to hold a secret.
  static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    let parts = [
      "token", "key", "secret", "password", "passwd", "signature", "credential", "auth", "cookie",
      "session", "sessid", "jwt",
    ]
    if parts.contains(where: name.contains) || ["code", "pin"].contains(name) { return true }
    // Too short to be looked for inside of other words.
    let words = name.utf8.split { !$0.isASCIILetterOrDigit }.map { String(Substring($0)) }
    return words.contains(where: ["sig", "pwd", "pass", "sid", "otp", "totp"].contains)
  }

  /// A message without the user name and password that a URL or a proxy in it may have.
  ///
  /// libcurl repeats a proxy that it cannot use as it was written, with a scheme or without one.
  static func withoutCredentials(inMessage message: String) -> String {
    guard let at = message.utf8.lastIndex(of: UInt8(ascii: "@")) else { return message }
    let before = message[..<at]
    let quote = before.utf8.firstIndex(of: UInt8(ascii: "'"))
    let space = before.utf8.lastIndex(of: UInt8(ascii: " "))
    // A password may hold spaces and slashes, so the earliest sure beginning counts.
    let begin = (quote ?? space).map(message.utf8.index(after:)) ?? message.startIndex
    let scheme = message[begin..<at].utf8.prefix { $0.isASCIILetterOrDigit }
    let isScheme = message[scheme.endIndex..<at].utf8.starts(with: "://".utf8)
    return message[..<begin] + (isScheme ? Substring(scheme) + "://" : "") + "…" + message[at...]
  }

  /// The text with control and direction characters written out, as `\u{1B}`, and cut to a length.
  static func visible(_ text: String, limit: Int = 200) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar.value {
      case 0x00..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default:
        result.unicodeScalars.append(scalar)
      }
    }
    return text.unicodeScalars.count > limit ? result + "…" : result
  }
}

extension UInt8 {
  /// The byte as a reader recognises it: a quoted character, a name, or a number.
  var visible: String {
    switch self {
    case 0x00: "a NUL byte"
    case 0x09: "a tab"
    case 0x0A: "a line feed"
    case 0x0D: "a carriage return"
    case 0x20: "a space"
    case 0x21...0x7E: "\"\(Character(Unicode.Scalar(self)))\""
    default: "the byte 0x" + String(self, radix: 16, uppercase: true)
    }
  }
}
