/// Reads the value of a `Link` header (RFC 8288 section 3 and appendix B.2).
///
/// The value is read as bytes: to a string, a quote and a mark that combines with it are one
/// character, and no quote.
struct HTTPLinkParser {
  private var rest: Substring.UTF8View

  init(_ value: String) { rest = value[...].utf8 }

  /// The links up to the end of the value, or up to the first fault.
  mutating func links() -> [HTTPLink] {
    var links: [HTTPLink] = []
    while true {
      // A list may have empty elements (RFC 9110 section 5.6.1).
      skip { $0.isSpaceOrTab || $0 == UInt8(ascii: ",") }
      guard take(UInt8(ascii: "<")) else { return links }
      let target = takeText { $0 != UInt8(ascii: ">") }
      guard take(UInt8(ascii: ">")), let parameters = takeParameters() else { return links }
      links.append(HTTPLink(target: target, parameters: parameters))
      skip(\.isSpaceOrTab)
      guard take(UInt8(ascii: ",")) else { return links }
    }
  }

  /// The parameters of a link, or nil if they are malformed.
  private mutating func takeParameters() -> [String: String]? {
    var parameters: [String: String] = [:]
    while true {
      skip(\.isSpaceOrTab)
      guard take(UInt8(ascii: ";")) else { return parameters }
      skip(\.isSpaceOrTab)
      let name = takeText(\.isTokenByte).lowercased()
      skip(\.isSpaceOrTab)
      var value = ""
      if take(UInt8(ascii: "=")) {
        skip(\.isSpaceOrTab)
        if rest.first == UInt8(ascii: "\"") {
          guard let text = takeQuoted() else { return nil }
          value = text
        } else {
          // More than a token: unquoted URLs are common.
          value = takeText { !$0.isSpaceOrTab && !",;".utf8.contains($0) }
        }
      }
      // A semicolon with nothing behind it is as common as it is wrong.
      if !name.isEmpty, parameters[name] == nil { parameters[name] = value }
    }
  }

  /// A quoted string without its quotes and escapes (RFC 9110 section 5.6.4); nil without an end.
  private mutating func takeQuoted() -> String? {
    rest.removeFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst() else { return nil }
        text.append(escaped)
      } else {
        text.append(byte)
      }
    }
    return nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func takeText(_ isPart: (UInt8) -> Bool) -> String {
    let text = rest.prefix(while: isPart)
    rest = rest[text.endIndex...]
    // Bytes of a character that combines with what was before it still make up whole scalars.
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    rest = rest[rest.prefix(while: isSkipped).endIndex...]
  }
}

extension UInt8 {
  /// Whether the byte is white space inside a header value (RFC 9110 section 5.6.3).
  fileprivate var isSpaceOrTab: Bool { self == 0x20 || self == 0x09 }
}
