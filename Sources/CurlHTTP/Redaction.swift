/// Keeps secrets out of what is printed, and control characters out of the reader's terminal.
enum Redaction {
  /// The query with `***` for each value whose name suggests a secret.
  ///
  /// Names are judged after decoding, so that `%74oken` hides nothing from this.
  static func query(_ query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { item in
      guard let equals = item.firstIndex(of: "=") else { return String(item) }
      let name = PercentEncoding.decode(item[..<equals]) ?? String(item[..<equals])
      return isSecret(name) ? item[...equals] + "***" : String(item)
    }.joined(separator: "&")
  }

  /// Whether a parameter or header with this name is likely to hold a secret.
  static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return [
      "token", "key", "secret", "password", "passwd", "signature", "credential", "auth", "cookie",
    ].contains { name.contains($0) } || ["sig", "code", "pwd", "pass"].contains(name)
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
