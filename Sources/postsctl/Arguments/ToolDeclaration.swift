/// What the parser and the help need to know of a whole tool.
struct ToolDeclaration: Sendable {
  /// A line of the help that explains a name.
  struct Entry: Sendable {
    /// The name, as it is typed or shown.
    let name: String
    /// What it means.
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
  /// The variables that the tool reads from its environment, in the order of the help.
  var environment: [Entry] = []
  /// What the process can end with, in the order of the help.
  var exitCodes: [Entry] = []

  /// Everything that may stand after a command, or before one if `command` is nil.
  func options(of command: CommandDeclaration?) -> [OptionDeclaration] {
    (command?.options ?? []) + sharedOptions + [.help, .version]
  }
}
