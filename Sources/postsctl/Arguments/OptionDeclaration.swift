/// What the parser and the help need to know of one option, whatever the type of its value.
struct OptionDeclaration: Hashable, Sendable {
  /// The long name, without its dashes.
  let name: String
  /// The one-letter name, for the few options that have one.
  var shortName: Character?
  /// What to call the value in the help; nil for a flag, which has none.
  var valueName: String?
  /// The line of the help.
  let summary: String
  /// Whether a command cannot run without it.
  ///
  /// The usage line shows it; ``ParsedArguments/required(_:)`` insists.
  var isRequired = false

  /// The name as it is typed.
  var spelling: String { "--\(name)" }

  /// The name with its value, as it is typed: `--output FORMAT`.
  var usage: String { valueName.map { "\(spelling) \($0)" } ?? spelling }

  static let help = OptionDeclaration(name: "help", shortName: "h", summary: "Show this help.")
  static let version = OptionDeclaration(name: "version", summary: "Show the version.")
}
