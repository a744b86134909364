/// An option with a value, and how the text of the value is understood.
struct Option<Value: Sendable>: Sendable {
  /// What the parser and the help see.
  let declaration: OptionDeclaration
  /// Understands the value as it was typed.
  let parse: @Sendable (String) throws(InvalidValue) -> Value

  /// Declares an option.
  init(
    _ name: String, valueName: String, summary: String, isRequired: Bool = false,
    parse: @escaping @Sendable (String) throws(InvalidValue) -> Value
  ) {
    self.declaration = OptionDeclaration(
      name: name, valueName: valueName, summary: summary, isRequired: isRequired)
    self.parse = parse
  }
}

extension Option where Value == String {
  /// Declares an option whose value is any text.
  init(_ name: String, valueName: String, summary: String, isRequired: Bool = false) {
    self.init(name, valueName: valueName, summary: summary, isRequired: isRequired) {
      (text) throws(InvalidValue) in text
    }
  }
}

extension Option where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// Declares an option whose value is one of a few words.
  init(choice name: String, valueName: String, summary: String) {
    self.init(name, valueName: valueName, summary: summary) { (text) throws(InvalidValue) in
      guard let value = Value(rawValue: text) else {
        let words = Value.allCases.map(\.rawValue)
        throw InvalidValue(
          "expected \(ArgumentParser.choice(words))",
          suggestion: Suggestion.closest(to: text, among: words))
      }
      return value
    }
  }
}

/// Why the value of an option was not understood.
struct InvalidValue: Error, Hashable, Sendable {
  /// What is wrong with the value, or would be right, as the end of a sentence.
  let reason: String
  /// The word that was probably meant.
  var suggestion: String?
  /// Whether the value may hold a secret, which then appears in no message.
  var isSecret = false

  /// Says why; the reason ends the sentence that begins "--name cannot be 'value':".
  init(_ reason: String, suggestion: String? = nil, isSecret: Bool = false) {
    self.reason = reason
    self.suggestion = suggestion
    self.isSecret = isSecret
  }
}
