/// The fields of an object in a server's answer, read with tolerance for what servers differ in.
///
/// A field that is missing is nil. Where it is there, it must be of the right type.
struct AnswerFields<Key: CodingKey> {
  private let container: KeyedDecodingContainer<Key>

  init(_ decoder: any Decoder, of type: Key.Type) throws {
    do {
      container = try decoder.container(keyedBy: type)
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      throw AnswerMismatch(
        path: decoder.codingPath, expected: "an object",
        found: try JSONKind(from: decoder).rawValue)
    }
  }

  /// Returns an identity, a number or a string, or nil when the field is missing.
  ///
  /// A null is a mismatch: a record whose identity or author the server no longer knows is more
  /// likely a fault than an answer.
  func identity(_ keys: Key...) throws -> RecordID? {
    guard let key = keys.first(where: container.contains) else { return nil }
    if let number = try? container.decode(Int64.self, forKey: key) { return .number(number) }
    if let text = try? container.decode(String.self, forKey: key) { return .text(text) }
    let kind = try container.decode(JSONKind.self, forKey: key)
    throw mismatch(
      key, expected: "a number or a string",
      found: kind == .number ? "a number that is no 64-bit integer" : kind.rawValue)
  }

  /// Returns text, or nil when every field of these is missing or null.
  func text(_ keys: Key...) throws -> String? {
    for key in keys {
      do {
        if let text = try container.decodeIfPresent(String.self, forKey: key) { return text }
      } catch DecodingError.typeMismatch {
        throw mismatch(
          key, expected: "a string",
          found: try container.decode(JSONKind.self, forKey: key).rawValue)
      }
    }
    return nil
  }

  /// Returns the mismatch of a field that must not be missing or null.
  func missing(_ key: Key, expected: String) -> AnswerMismatch {
    mismatch(key, expected: expected, found: container.contains(key) ? "null" : "no such field")
  }

  private func mismatch(_ key: Key, expected: String, found: String) -> AnswerMismatch {
    AnswerMismatch(path: container.codingPath + [key], expected: expected, found: found)
  }
}
