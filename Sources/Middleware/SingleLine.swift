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
  /// Whether it is a control, a separator of lines, or invisible, as are those that reorder text
  /// (UAX #9).
  ///
  /// The zero-width joiner, which holds an emoji together, is let through.
  fileprivate var breaksLines: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: value != 0x200D
    default: false
    }
  }
}
