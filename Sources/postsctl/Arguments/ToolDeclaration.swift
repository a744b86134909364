/// What the parser and the help need to know of a whole tool.
struct ToolDeclaration: Sendable {
  /// A word the tool reads from its environment.
  struct Variable: Sendable {
    /// The name of the variable.
    let name: String
    /// What it does.
    let summary: String
  }

  /// The name as it is typed.
  let name: String
  /// The version, as `--version` prints it.
  let version: String
  /// One sentence.
  let summary: String
  /// The options that every command takes, and that may also stand before the command.
  let sharedOptions: [OptionDeclaration]
  /// The commands, in the order of the help.
  let commands: [CommandDeclaration]
  /// The environment, in the order of the help.
  var environment: [Variable] = []

  /// Everything that may stand after a command, or before one if `command` is nil.
  func options(of command: CommandDeclaration?) -> [OptionDeclaration] {
    (command?.options ?? []) + sharedOptions + [.help, .version]
  }
}
