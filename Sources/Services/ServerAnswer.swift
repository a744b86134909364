/// What a server sent back, as far as its meaning depends on it.
struct ServerAnswer: Sendable {
  var status: Int
  var contentType: String?
  var location: String?
  var body: [UInt8]

  /// Whether there is nothing in the body but white space.
  var isEmpty: Bool { body.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }

  /// Whether the body begins like a web page, of which no part is fit for a message.
  var isWebPage: Bool { firstVisibleByte == UInt8(ascii: "<") }

  /// The first byte that is neither white space nor part of a byte order mark.
  var firstVisibleByte: UInt8? {
    body.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
  }

  /// The status, the type and the beginning of the body, for a message.
  var summary: String {
    let type = contentType.map { SafeExcerpt($0).description } ?? "no content type"
    let what = "the answer was status \(status), \(type)"
    if isEmpty { return "\(what), an empty body" }
    // That it is a web page is what was found instead of JSON, and said already.
    return isWebPage ? what : "\(what), beginning: \(SafeExcerpt(body))"
  }
}
