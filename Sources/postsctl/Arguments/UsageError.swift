/// Arguments that cannot be understood, explained to the person who typed them.
struct UsageError: Error, Hashable, Sendable {
  /// What is wrong and what would be right, in full sentences.
  let message: String
  /// The command whose help explains more; nil for the help of the whole tool.
  var command: String?
}

extension UsageError {
  /// Says that a value was not understood.
  static func invalidValue(
    _ text: String, of option: OptionDeclaration, because error: InvalidValue, command: String?
  ) -> UsageError {
    let value = text.isEmpty ? "an empty value" : "'\(text)'"
    return UsageError(
      message: "\(option.spelling) cannot be \(value): expected \(error.expected)."
        + Suggestion.question(error.suggestion),
      command: command)
  }
}
