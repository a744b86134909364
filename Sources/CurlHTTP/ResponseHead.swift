/// The status and headers of a response, built from the lines that libcurl delivers.
///
/// Lines are taken apart as bytes: to a string, a colon and a mark that combines with it are one
/// character, and no colon.
struct ResponseHead: Equatable {
  var status = 0
  private(set) var headers = HTTPHeaders()
  private(set) var hasConflictingLengths = false
  /// Whether a field is none that HTTP knows, though libcurl takes it.
  private(set) var isMalformed = false
  private var length: String?

  init(status: Int = 0) {
    self.status = status
    // As many as most servers send.
    if status != 0 { headers.fields.reserveCapacity(16) }
  }

  /// Whether another response follows (RFC 9110 section 15.2).
  ///
  /// After 101 none does; libcurl takes all that comes after it for a body.
  var isInterim: Bool { (100...199).contains(status) && status != 101 }

  /// Appends one field line, or the continuation of the last one (RFC 9112 section 5.2).
  ///
  /// A line without a colon says nothing and is skipped.
  mutating func append(_ line: [UInt8]) {
    let end = ResponseHead.end(of: line)
    guard end > 0 else { return }
    // RFC 9110 section 5.5: a receiver must not take what may end a field elsewhere.
    if line[..<end].contains(0x0D) { isMalformed = true }
    if line[0].isSpaceOrTab { return appendContinuation(line[..<end]) }
    guard let colon = line[..<end].firstIndex(of: UInt8(ascii: ":")) else { return }
    let field = HTTPHeaders.Field(
      name: ResponseHead.text(line[..<colon]), value: ResponseHead.text(line[(colon + 1)..<end]))
    headers.fields.append(field)
    if field.isNamed("Content-Length") { note(length: field.value) }
  }

  private mutating func appendContinuation(_ line: ArraySlice<UInt8>) {
    guard let last = headers.fields.indices.last else { return }
    // One of the two may be empty, and then there is nothing to keep apart.
    let parts = [headers.fields[last].value, ResponseHead.text(line)]
    headers.fields[last].value = parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// libcurl takes the last of several lengths and reports success for a body cut to it.
  ///
  /// A list of equal values is one value that was sent twice (RFC 9112 section 6.3).
  private mutating func note(length value: String) {
    let items = [UInt8](value.utf8)
      .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    for item in items {
      let item = ResponseHead.text(item)
      // libcurl reads as far as there are digits, and cuts the body there.
      if !item.utf8.allSatisfy({ $0.decimalDigitValue != nil }) { isMalformed = true }
      if let length, length != item { hasConflictingLengths = true }
      length = item
    }
  }

  /// Whether libcurl may take a line for a status line; no header field begins like this.
  static func isLikeStatusLine(_ line: [UInt8]) -> Bool {
    line.count >= 5 && line[4] == UInt8(ascii: "/")
      && line.prefix(5).elementsEqual("http/".utf8) { $0.lowercasedASCII == $1 }
  }

  /// The status that a line announces, or nil if it is not a status line (RFC 9112 section 4).
  static func status(of line: [UInt8]) -> Int? {
    let line = line[..<end(of: line)]
    guard line.starts(with: "HTTP/".utf8), let space = line.firstIndex(of: 0x20) else { return nil }
    // Words may be apart by more than one space.
    let rest = line[space...].drop { $0 == 0x20 }
    let digits = rest.prefix { $0 != 0x20 }
    guard digits.count == 3 else { return nil }
    var status = 0
    for digit in digits {
      guard let value = digit.decimalDigitValue else { return nil }
      status = 10 * status + Int(value)
    }
    return status >= 100 ? status : nil
  }

  /// Whether the line ends a header section.
  static func isBlank(_ line: [UInt8]) -> Bool { end(of: line) == 0 }

  /// Where the line ends and its line break begins.
  private static func end(of line: [UInt8]) -> Int {
    var end = line.count
    while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
    return end
  }

  /// The bytes as text, without the space around them.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var (start, end) = (bytes.startIndex, bytes.endIndex)
    while start < end, bytes[start].isSpaceOrTab { start += 1 }
    while start < end, bytes[end - 1].isSpaceOrTab { end -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether the byte may stand around a value (RFC 9110 section 5.6.3, OWS).
  fileprivate var isSpaceOrTab: Bool { self == 0x20 || self == 0x09 }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without spaces and tabs at either end (RFC 9110 section 5.6.3, OWS).
  var withoutSpaceAround: SubSequence {
    var bytes = self[...]
    while let first = bytes.first, first.isSpaceOrTab { bytes = bytes.dropFirst() }
    while let last = bytes.last, last.isSpaceOrTab { bytes = bytes.dropLast() }
    return bytes
  }
}
