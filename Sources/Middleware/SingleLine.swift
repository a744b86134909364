/// Text that others have written, as a part of one line of a log.
///
/// Whatever would break the line, steer a terminal or turn the direction of writing is shown as an
/// escape sequence, and what is beyond the limit as `…`.
struct SingleLine: TextOutputStream, Sendable {
  private(set) var text = ""
  /// How many Unicode scalars still fit.
  private var room: Int

  init(limit: Int) { room = limit }

  /// Creates the text that `value` prints.
  init(_ value: some Any, limit: Int) {
    self.init(limit: limit)
    // Printed into this stream, so that a description of many pieces is never there as a whole.
    print(value, terminator: "", to: &self)
  }

  mutating func write(_ string: String) {
    for scalar in string.unicodeScalars {
      guard room > 0 else {
        if room == 0 { text += "…" }
        room = -1
        return
      }
      room -= 1
      if scalar.breaksLines {
        text += scalar.escaped(asASCII: true)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is a control, a separator of lines, or reorders the text after it (UAX #9).
  fileprivate var breaksLines: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
