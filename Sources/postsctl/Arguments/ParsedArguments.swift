/// The arguments of one command, taken apart but not yet understood.
struct ParsedArguments: Sendable {
  /// The command that was named.
  let command: CommandDeclaration
  /// The values as they were typed, by the name of their option.
  let values: [String: String]
  /// The options whose value looks like another option, in the order they were typed.
  ///
  /// It may be what was meant, and it is taken as typed; if something is missing later on, it is
  /// the likely cause.
  var suspects: [String] = []

  /// Returns the value of an option, or nil if it was not given.
  func value<Value>(of option: Option<Value>) throws(UsageError) -> Value? {
    guard let text = values[option.declaration.name] else { return nil }
    do throws(InvalidValue) {
      return try option.parse(text)
    } catch {
      throw .invalidValue(text, of: option.declaration, because: error, command: command.name)
    }
  }

  /// Returns the value of an option that must be given.
  func required<Value>(_ option: Option<Value>) throws(UsageError) -> Value {
    guard let value = try value(of: option) else {
      throw UsageError(
        message: "\(command.name) needs \(option.declaration.usage)." + suspicion,
        command: command.name)
    }
    return value
  }

  /// A sentence about an option that probably lost its value, with the space before it.
  var suspicion: String {
    guard let name = suspects.first, let value = values[name] else { return "" }
    return " --\(name) took '\(value)' as its value."
  }
}
