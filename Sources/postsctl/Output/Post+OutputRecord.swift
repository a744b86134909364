import Services

extension Post: OutputRecord {
  static var fields: [OutputField<Post>] {
    [
      OutputField(name: "id", heading: "ID") { JSONValue($0.id) },
      OutputField(name: "userId", heading: "USER") { JSONValue($0.userID) },
      OutputField(name: "title", heading: "TITLE") { .string($0.title) },
      OutputField(name: "body", heading: "BODY") { .string($0.body) },
    ]
  }
}

extension JSONValue {
  /// An identity as its server wrote it: a number stays a number, and text stays text.
  init(_ id: RecordID?) {
    switch id {
    case nil: self = .null
    case .number(let number): self = .number(number)
    case .text(let text): self = .string(text)
    }
  }

  /// A text, or null.
  init(_ text: String?) {
    self = text.map(JSONValue.string) ?? .null
  }
}
