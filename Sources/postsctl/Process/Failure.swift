/// Why a command ended without a result: the exit code, and what to tell the person who ran it.
struct Failure: Error, Hashable, Sendable {
  /// What the process ends with.
  let exitCode: ExitCode
  /// One paragraph: what failed, where, why, and what to do about it.
  let message: String
  /// A last line that says where to read more.
  var seeAlso: String?
}

extension Failure {
  /// The failure of a command line that was not understood.
  init(_ error: UsageError, tool: String) {
    let command = error.command.map { " \($0)" } ?? ""
    self.init(
      exitCode: .usage, message: error.message, seeAlso: "See '\(tool)\(command) --help'.")
  }

  /// The lines for standard error, safe for a terminal whatever a server put into them.
  func text(tool: String) -> String {
    let lines = ["\(tool): \(message)"] + (seeAlso.map { [$0] } ?? [])
    return lines.map { VisibleText($0).text + "\n" }.joined()
  }
}
