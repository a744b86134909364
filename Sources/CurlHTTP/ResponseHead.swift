/// The status and headers of a response, built from the lines that libcurl delivers.
struct ResponseHead: Equatable {
  var status = 0
  private(set) var headers = HTTPHeaders()
  private(set) var hasConflictingLengths = false
  private var length: String?

  init(status: Int = 0) { self.status = status }

  /// Whether another response follows (RFC 9110 section 15.2).
  var isInterim: Bool { (100...199).contains(status) }

  /// Appends one field line, or the continuation of the last one (RFC 9112 section 5.2).
  ///
  /// A line without a colon says nothing and is skipped.
  mutating func append(_ line: [UInt8]) {
    let text = String(decoding: ResponseHead.withoutLineBreak(line), as: UTF8.self)
    if let first = text.utf8.first, first == 0x20 || first == 0x09 {
      guard !headers.fields.isEmpty else { return }
      headers.fields[headers.fields.count - 1].value += " " + ResponseHead.trimmed(text[...])
      return
    }
    guard let colon = text.firstIndex(of: ":") else { return }
    let name = ResponseHead.trimmed(text[..<colon])
    let value = ResponseHead.trimmed(text[text.index(after: colon)...])
    headers.append(name, value)
    if HTTPHeaders.Field(name: name, value: value).isNamed("Content-Length") { note(length: value) }
  }

  /// libcurl takes the last of several lengths and reports success for a body cut to it.
  ///
  /// A list of equal values is one value that was sent twice (RFC 9112 section 6.3).
  private mutating func note(length value: String) {
    for item in value.split(separator: ",", omittingEmptySubsequences: false) {
      let item = ResponseHead.trimmed(item)
      if let length, length != item { hasConflictingLengths = true }
      length = item
    }
  }

  /// The status that a line announces, or nil if it is not a status line.
  static func status(of line: [UInt8]) -> Int? {
    guard line.starts(with: "HTTP/".utf8) else { return nil }
    let words = withoutLineBreak(line).split(separator: 0x20, maxSplits: 2)
    guard words.count >= 2 else { return nil }
    return Int(String(decoding: words[1], as: UTF8.self))
  }

  /// Whether the line ends a header section.
  static func isBlank(_ line: [UInt8]) -> Bool { withoutLineBreak(line).isEmpty }

  private static func withoutLineBreak(_ line: [UInt8]) -> ArraySlice<UInt8> {
    var line = line[...]
    while line.last == 0x0A || line.last == 0x0D { line.removeLast() }
    return line
  }

  private static func trimmed(_ text: Substring) -> String {
    var bytes = text.utf8[...]
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return String(Substring(bytes))
  }
}
