/// The beginning of something a server sent, fit to be printed in a message.
///
/// Runs of white space become one space. What could move the cursor, change colours or turn the
/// direction of writing, in a terminal or a log, becomes U+FFFD.
struct SafeExcerpt: CustomStringConvertible {
  /// How many Unicode scalars are shown.
  static let limit = 120

  let description: String

  /// Whether there was nothing but white space.
  var isEmpty: Bool { description.isEmpty }

  /// Creates an excerpt of text.
  init(_ text: some StringProtocol) {
    var scalars = String.UnicodeScalarView()
    var count = 0
    var isAfterSpace = false
    for scalar in text.unicodeScalars {
      guard !scalar.properties.isWhitespace else {
        isAfterSpace = count > 0
        continue
      }
      guard count < Self.limit else {
        scalars.append("…")
        break
      }
      if isAfterSpace {
        scalars.append(" ")
        count += 1
        isAfterSpace = false
      }
      scalars.append(scalar.steersTerminal ? "\u{FFFD}" : scalar)
      count += 1
    }
    description = String(scalars)
  }

  /// Creates an excerpt of bytes; those that are not UTF-8 become U+FFFD.
  init(_ bytes: [UInt8]) {
    // A body may have megabytes; what is far beyond the limit need not be looked at.
    self.init(String(decoding: bytes.prefix(8 * Self.limit), as: UTF8.self))
  }
}
