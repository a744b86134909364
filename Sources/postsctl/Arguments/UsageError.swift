/// Arguments that cannot be understood, explained to the person who typed them.
struct UsageError: Error, Hashable, Sendable {
  /// What is wrong and what would be right, in full sentences.
  let message: String
  /// The command whose help explains more; nil for the help of the whole tool.
  var command: String?
}

extension InvalidValue {
  /// The value as a message may show it.
  func shown(_ text: String) -> String {
    if isSecret { return "the value that was given" }
    return text.isEmpty ? "an empty value" : "'\(text)'"
  }
}

extension UsageError {
  /// Says that a value was not understood.
  static func invalidValue(
    _ text: String, of option: OptionDeclaration, because error: InvalidValue, command: String?
  ) -> UsageError {
    UsageError(
      message: "\(option.spelling) cannot be \(error.shown(text)): \(error.reason)."
        + Suggestion.question(error.suggestion),
      command: command)
  }
}
