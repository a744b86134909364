/// Percent-encoding for the parts of a URL (RFC 3986 section 2).
enum PercentEncoding {
  /// Encodes text as one path segment: a slash becomes `%2F`, and a dot segment loses its meaning.
  static func segment(_ text: String) -> String {
    if text == "." { return "%2E" }
    if text == ".." { return "%2E%2E" }
    return encode(text.utf8) { $0.isUnreserved || "!$&'()*+,;=:@".utf8.contains($0) }
  }

  /// Encodes text as a name or a value in a query.
  ///
  /// A `+` is encoded, as servers read it as a space.
  static func queryPart(_ text: String) -> String {
    encode(text.utf8, where: \.isUnreserved)
  }

  /// Encodes what is beyond ASCII and leaves the rest, which has been checked, as it is written.
  static func beyondASCII(_ text: Substring.UTF8View) -> String { encode(text) { $0 < 0x80 } }

  /// Decodes `%XX`; nil when a percent sign stands alone or the bytes are not UTF-8.
  static func decode(_ text: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Whether each percent sign is followed by two hexadecimal digits.
  static func isWellFormed(_ text: Substring.UTF8View) -> Bool {
    text.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
      .allSatisfy { part in
        part.count >= 2 && part.prefix(2).allSatisfy { $0.hexDigitValue != nil }
      }
  }

  private static func encode(
    _ text: some Sequence<UInt8>, where isKept: (UInt8) -> Bool
  ) -> String {
    var bytes: [UInt8] = []
    for byte in text {
      if isKept(byte) {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes += [byte >> 4, byte & 0xF].map { $0 < 10 ? 0x30 + $0 : 0x41 + $0 - 10 }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether the byte never means anything in a URL (RFC 3986 section 2.3).
  var isUnreserved: Bool { isASCIILetterOrDigit || "-._~".utf8.contains(self) }

  /// The value of a decimal digit, or nil.
  var decimalDigitValue: UInt8? { (0x30...0x39).contains(self) ? self - 0x30 : nil }

  /// The value of a hexadecimal digit, or nil.
  var hexDigitValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}
