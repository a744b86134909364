import Services

/// Everything a command may touch besides its arguments.
///
/// The process makes one out of the real things, a test one out of its own.
struct CommandContext: Sendable {
  /// The environment variables.
  let environment: [String: String]
  /// Where results go, and nothing else.
  let standardOutput: any TextOutput
  /// Where everything else goes.
  let standardError: any TextOutput
  /// Opens the service that a configuration chose.
  let open: @Sendable (ServiceConfiguration) throws(DataServiceError) -> OpenService

  /// Says on standard error what a person should know although nothing failed.
  ///
  /// A note that cannot be written is no reason to fail.
  func note(_ text: String) {
    try? standardError.write(VisibleText("\(Tool.name): \(text)").text + "\n")
  }
}
