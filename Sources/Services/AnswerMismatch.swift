/// A value in a server's answer that is not what it has to be.
struct AnswerMismatch: Error {
  /// Where it stands, such as `[3].userId`; empty for the whole answer.
  var location: String
  /// What it had to be.
  var expected: String
  /// What it is.
  var found: String

  init(path: [any CodingKey], expected: String, found: String) {
    location = Self.location(path)
    self.expected = expected
    self.found = found
  }

  /// Spells a path the way one would write it in a program.
  static func location(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { location, key in
      if let index = key.intValue {
        location += "[\(index)]"
      } else {
        location += location.isEmpty ? key.stringValue : "." + key.stringValue
      }
    }
  }
}
