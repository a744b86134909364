/// A command of postsctl: it knows its arguments, and runs on a context.
protocol Command: ParsableCommand {
  /// Does the work and returns what to print; prints nothing itself.
  func run(in context: CommandContext) async throws(Failure) -> CommandResult
}

/// What a command has to show for itself.
struct CommandResult: Hashable, Sendable {
  /// The whole text for standard output.
  let text: String
  /// What to know if the text cannot be printed, where the command changed something.
  var noteIfLost: String?
}
