extension Duration {
  /// Understands a time limit: seconds in plain decimal digits, with or without a fraction.
  ///
  /// The limits are a millisecond, below which a limit would round to none at all, and a day.
  init(seconds text: String) throws(InvalidValue) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let isPlain = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(digits.contains) }
    guard isPlain, let seconds = Double(text), (0.001...86_400).contains(seconds) else {
      throw InvalidValue("expected a number of seconds from 0.001 to 86400, such as 5 or 0.5")
    }
    self = .milliseconds(Int64((seconds * 1000).rounded()))
  }
}
