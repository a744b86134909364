/// What the parser and the help need to know of one command.
struct CommandDeclaration: Sendable {
  /// A line of the help that can be pasted into a shell.
  struct Example: Sendable {
    /// What the line does.
    let purpose: String
    /// The line.
    let line: String
  }

  /// The name as it is typed.
  let name: String
  /// One sentence, shown in the list of commands and at the top of the command's help.
  let summary: String
  /// The options of this command alone, before those it shares.
  var options: [OptionDeclaration] = []
  /// Lines to start from.
  let examples: [Example]
}

/// A command: parsed from its arguments, or refused with a usage error.
protocol ParsableCommand: Sendable {
  /// What the parser and the help need to know.
  static var declaration: CommandDeclaration { get }

  /// Understands the values; everything that can be wrong with one is found here.
  init(_ arguments: ParsedArguments) throws(UsageError)
}
