/// The whole of postsctl but for the process around it: arguments in, text and an ending out.
struct Tool: Sendable {
  /// The name, as messages and help show it.
  static let name = "postsctl"
  /// The version, as `--version` prints it.
  static let version = "0.1.0"

  /// How a run ended.
  enum Ending: Hashable, Sendable {
    /// With an exit code.
    case exit(ExitCode)
    /// Nobody reads the result any more. The process ends by the signal for it, without a word.
    case brokenPipe
  }

  static let commands: [any Command.Type] = [
    FetchUsersCommand.self, FetchPostsCommand.self, CreatePostCommand.self,
  ]

  static let declaration = ToolDeclaration(
    name: name,
    version: version,
    summary: "Read and write the posts of a server, or of a database of your own.",
    sharedOptions: SharedOptions.declarations,
    commands: commands.map { $0.declaration },
    environment: [
      .init(name: "POSTSCTL_URL", summary: "The server to use without --url or --database."),
      .init(name: "XDG_DATA_HOME", summary: "Where postsctl/posts.db is kept (~/.local/share)."),
    ],
    exitCodes: ExitCode.allCases.map { .init(name: "\($0.rawValue)", summary: $0.summary) })

  /// What the run may touch.
  let context: CommandContext

  /// Does what the arguments ask, and explains on standard error why if it cannot.
  func run(_ arguments: [String]) async -> Ending {
    do throws(Failure) {
      return try await attempt(arguments)
    } catch {
      // Where standard error is closed too, the exit code is all that is left to say it with.
      try? context.standardError.write(error.text(tool: Self.name))
      return .exit(error.exitCode)
    }
  }

  private func attempt(_ arguments: [String]) async throws(Failure) -> Ending {
    do throws(OutputError) {
      try context.standardOutput.check()
    } catch {
      return try ending(after: error, note: "Nothing was done.")
    }
    let result = try await result(of: arguments)
    do throws(OutputError) {
      try context.standardOutput.write(result.text)
      return .exit(.ok)
    } catch {
      return try ending(after: error, note: result.noteIfLost)
    }
  }

  private func result(of arguments: [String]) async throws(Failure) -> CommandResult {
    let command: any Command
    do throws(UsageError) {
      switch try ArgumentParser(tool: Self.declaration).parse(arguments) {
      case .help(nil):
        return CommandResult(text: HelpText(tool: Self.declaration).text())
      case .help(let declaration?):
        return CommandResult(text: HelpText(tool: Self.declaration).text(for: declaration))
      case .version:
        return CommandResult(text: "\(Self.name) \(Self.version)\n")
      case .command(let parsed):
        command = try Self.command(for: parsed)
      }
    } catch {
      throw Failure(error, tool: Self.name)
    }
    return try await command.run(in: context)
  }

  private static func command(for arguments: ParsedArguments) throws(UsageError) -> any Command {
    for type in commands where type.declaration.name == arguments.command.name {
      return try type.init(arguments)
    }
    preconditionFailure("The parser returned '\(arguments.command.name)', which is not declared.")
  }

  private func ending(after error: OutputError, note: String?) throws(Failure) -> Ending {
    switch error {
    case .brokenPipe:
      return .brokenPipe
    case .refused(let reason):
      let remedy = "Send the output to a file or a pipe that can be written to."
      throw Failure(
        exitCode: .outputFailed,
        message: (["cannot write the result: \(reason).", note, remedy] as [String?])
          .compactMap { $0 }.joined(separator: " "))
    }
  }
}
