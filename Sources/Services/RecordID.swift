/// The identity of a user or a post, kept the way its server wrote it.
///
/// Servers disagree about identities: some count, others hand out text. A `RecordID` keeps which of
/// the two it was, so that it goes back to the server, and out to the reader, unchanged. `7` and
/// `"7"` are different identities.
public enum RecordID: Hashable, Sendable {
  /// An identity that the server counts.
  case number(Int64)
  /// An identity that the server hands out as text.
  case text(String)
}

extension RecordID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// Creates a counted identity.
  public init(integerLiteral value: Int64) { self = .number(value) }

  /// Creates a textual identity.
  public init(stringLiteral value: String) { self = .text(value) }
}

extension RecordID: CustomStringConvertible {
  /// The identity as a reader expects it: the number, or the text without quotes.
  public var description: String {
    switch self {
    case .number(let number): String(number)
    case .text(let text): text
    }
  }
}
