/// The status and headers of a response, built from the lines that libcurl delivers.
///
/// Lines are taken apart as bytes: to a string, a colon and a mark that combines with it are one
/// character, and no colon.
struct ResponseHead: Equatable {
  var status = 0
  private(set) var headers = HTTPHeaders()
  private(set) var hasConflictingLengths = false
  private var length: String?

  init(status: Int = 0) { self.status = status }

  /// Whether another response follows (RFC 9110 section 15.2).
  ///
  /// After 101 none does; libcurl takes all that comes after it for a body.
  var isInterim: Bool { (100...199).contains(status) && status != 101 }

  /// Appends one field line, or the continuation of the last one (RFC 9112 section 5.2).
  ///
  /// A line without a colon says nothing and is skipped.
  mutating func append(_ line: [UInt8]) {
    let line = ResponseHead.withoutLineBreak(line)
    if let first = line.first, first == 0x20 || first == 0x09 {
      guard !headers.fields.isEmpty else { return }
      // One of the two may be empty, and then there is nothing to keep apart.
      let parts = [headers.fields[headers.fields.count - 1].value, ResponseHead.text(line)]
      headers.fields[headers.fields.count - 1].value = parts.filter { !$0.isEmpty }.joined(
        separator: " ")
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = ResponseHead.text(line[..<colon])
    let value = ResponseHead.text(line[(colon + 1)...])
    headers.append(name, value)
    if HTTPHeaders.Field(name: name, value: value).isNamed("Content-Length") { note(length: value) }
  }

  /// libcurl takes the last of several lengths and reports success for a body cut to it.
  ///
  /// A list of equal values is one value that was sent twice (RFC 9112 section 6.3).
  private mutating func note(length value: String) {
    let items = [UInt8](value.utf8)
      .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    for item in items {
      let item = ResponseHead.text(item)
      if let length, length != item { hasConflictingLengths = true }
      length = item
    }
  }

  /// Whether libcurl may take a line for a status line; no header field begins like this.
  static func isLikeStatusLine(_ line: [UInt8]) -> Bool {
    line.prefix(5).elementsEqual("http/".utf8) { $0.lowercasedASCII == $1 }
  }

  /// The status that a line announces, or nil if it is not a status line (RFC 9112 section 4).
  static func status(of line: [UInt8]) -> Int? {
    let words = withoutLineBreak(line).split(separator: 0x20, maxSplits: 2)
    guard words.count >= 2, words[0].starts(with: "HTTP/".utf8), words[1].count == 3 else {
      return nil
    }
    let digits = words[1].compactMap(\.decimalDigitValue)
    guard digits.count == 3, digits[0] > 0 else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1) }
  }

  /// Whether the line ends a header section.
  static func isBlank(_ line: [UInt8]) -> Bool { withoutLineBreak(line).isEmpty }

  private static func withoutLineBreak(_ line: [UInt8]) -> ArraySlice<UInt8> {
    var line = line[...]
    while line.last == 0x0A || line.last == 0x0D { line.removeLast() }
    return line
  }

  /// The bytes as text, without the space around them.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.withoutSpaceAround, as: UTF8.self)
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without spaces and tabs at either end (RFC 9110 section 5.6.3, OWS).
  var withoutSpaceAround: SubSequence {
    var bytes = self[...]
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes = bytes.dropFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes = bytes.dropLast() }
    return bytes
  }
}
