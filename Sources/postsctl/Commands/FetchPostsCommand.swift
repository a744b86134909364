import Services

/// Prints every post.
struct FetchPostsCommand: Command {
  static let declaration = CommandDeclaration(
    name: "fetch-posts",
    summary: "Fetch all posts and print them.",
    examples: [
      .init(purpose: "The posts of your own database", line: "postsctl fetch-posts"),
      .init(
        purpose: "The posts of a server that has five seconds to answer",
        line: "postsctl fetch-posts --url https://example.com/api --timeout 5"),
      .init(
        purpose: "The titles alone, with jq",
        line: "postsctl fetch-posts --output json | jq -r '.[].title'"),
      .init(
        purpose: "The posts of user 1, with jq",
        line: "postsctl fetch-posts --output json | jq '.[] | select(.userId == 1)'"),
    ])

  private let options: SharedOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    options = try SharedOptions(arguments)
  }

  func run(in context: CommandContext) async throws(Failure) -> CommandResult {
    let posts = try await options.session(in: context, to: "fetch the posts") {
      (session) async throws(DataServiceError) in try await session.fetchPosts()
    }
    return CommandResult(text: options.format.text(of: posts))
  }
}
