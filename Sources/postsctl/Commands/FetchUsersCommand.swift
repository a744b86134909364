import Services

/// Prints every user.
struct FetchUsersCommand: Command {
  static let declaration = CommandDeclaration(
    name: "fetch-users",
    summary: "Fetch all users and print them.",
    examples: [
      .init(purpose: "The users of your own database", line: "postsctl fetch-users"),
      .init(
        purpose: "The users of a server",
        line: "postsctl fetch-users --url https://example.com"),
      .init(
        purpose: "The names alone, with jq",
        line: "postsctl fetch-users --output json | jq -r '.[].name'"),
    ])

  private let options: SharedOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    options = try SharedOptions(arguments)
  }

  func run(in context: CommandContext) async throws(Failure) -> CommandResult {
    let users = try await options.session(in: context, to: "fetch the users") {
      (session) async throws(DataServiceError) in try await session.fetchUsers()
    }
    return CommandResult(text: options.format.text(of: users))
  }
}
