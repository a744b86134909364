import Services

/// Creates a post and prints it as the service confirmed it.
struct CreatePostCommand: Command {
  static let title = Option<String>(
    "title", valueName: "TEXT", summary: "The title; it cannot be empty.", isRequired: true
  ) { (text) throws(InvalidValue) in
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw InvalidValue("expected a title with something to read in it")
    }
    return text
  }
  static let body = Option<String>(
    "body", valueName: "TEXT", summary: "The text, which may have several lines.",
    isRequired: true)
  static let user = Option<RecordID>(
    "user", valueName: "ID", summary: "The user in whose name to post."
  ) { (text) throws(InvalidValue) in
    guard !text.isEmpty else { throw InvalidValue("expected the ID of a user") }
    return RecordID(argument: text)
  }

  static let declaration = CommandDeclaration(
    name: "create-post",
    summary: "Create a post and print it with the ID it was given.",
    options: [title.declaration, body.declaration, user.declaration],
    examples: [
      .init(
        purpose: "A post in your own database",
        line: "postsctl create-post --title 'Hello' --body 'First words.'"),
      .init(
        purpose: "A post on a server, in the name of user 3",
        line: "postsctl create-post --url https://example.com --user 3 --title Hi --body Yo"),
      .init(
        purpose: "The ID of the new post, with jq",
        line: "postsctl create-post --title Hi --body Yo --output json | jq .id"),
    ])

  private let options: SharedOptions
  private let draft: PostDraft

  init(_ arguments: ParsedArguments) throws(UsageError) {
    draft = PostDraft(
      userID: try arguments.value(of: Self.user),
      title: try arguments.required(Self.title),
      body: try arguments.required(Self.body))
    options = try SharedOptions(arguments)
  }

  func run(in context: CommandContext) async throws(Failure) -> CommandResult {
    let post = try await options.session(in: context, to: "create the post", changes: true) {
      (session) async throws(DataServiceError) in try await session.createPost(draft)
    }
    return CommandResult(
      text: options.format.text(of: post),
      noteIfLost: "The post was created, with ID \(post.id): do not create it again.")
  }
}

extension RecordID {
  /// Understands an ID: a number if it is written the way numbers are, or else a text.
  ///
  /// `007` is a text, because as a number it would come back as `7`.
  init(argument: String) {
    if let number = Int64(argument), String(number) == argument {
      self = .number(number)
    } else {
      self = .text(argument)
    }
  }
}
