import Testing

@testable import postsctl

@Suite struct `Help` {
  @Test func `P7: the help of the tool lists commands, options, environment and exit codes`() async
  {
    let run = await TestRun("--help", environment: [:])

    #expect(run.ending == .exit(.ok))
    #expect(run.errorOutput.isEmpty)
    #expect(
      run.output == """
        Read and write the posts of a server, or of a database of your own.

        Usage: postsctl COMMAND [OPTIONS]

        Commands:
          fetch-users  Fetch all users and print them.
          fetch-posts  Fetch all posts and print them.
          create-post  Create a post and print it with the ID it was given.

        Options of every command:
          --output FORMAT    Print as 'table' (default) or 'json'.
          --url URL          Use the server at this http or https URL instead of the
                             database.
          --timeout SECONDS  Give up on a server after this many seconds, such as 5 or
                             0.5.
          --database FILE    Use this database instead of your default one; a new one is
                             created.
          -h, --help         Show this help.
          --version          Show the version.

        Environment:
          POSTSCTL_URL   The server to use without --url or --database.
          XDG_DATA_HOME  Where postsctl/posts.db is kept (~/.local/share).

        Exit codes:
          0   It was done and printed.
          2   A time limit ended the request.
          4   The server refused the request (status 4xx).
          5   The server failed (status 5xx).
          6   The server redirects the request (status 3xx); that is not followed.
          64  The arguments are wrong.
          65  The server's answer is not what was asked for.
          66  The database cannot be used.
          69  The server cannot be reached: name, connection or certificate.
          70  A fault of postsctl's own; please report it.
          74  The result cannot be written, or the database's disk is full or fails.
          77  The server wants credentials, or refuses them (status 401, 403).
          78  The environment is wrong.

        See 'postsctl COMMAND --help' for the options of a command and examples.

        """)
  }

  @Test func `P7: the help of a command has its own options first, and examples`() async {
    let run = await TestRun("create-post", "-h", environment: [:])

    #expect(run.ending == .exit(.ok))
    #expect(run.errorOutput.isEmpty)
    #expect(
      run.output == """
        Create a post and print it with the ID it was given.

        Usage: postsctl create-post --title TEXT --body TEXT [OPTIONS]

        Options:
          --title TEXT       The title; it cannot be empty.
          --body TEXT        The text, which may have several lines.
          --user ID          The user in whose name to post.
          --output FORMAT    Print as 'table' (default) or 'json'.
          --url URL          Use the server at this http or https URL instead of the
                             database.
          --timeout SECONDS  Give up on a server after this many seconds, such as 5 or
                             0.5.
          --database FILE    Use this database instead of your default one; a new one is
                             created.
          -h, --help         Show this help.
          --version          Show the version.

        Environment:
          POSTSCTL_URL   The server to use without --url or --database.
          XDG_DATA_HOME  Where postsctl/posts.db is kept (~/.local/share).

        Examples:
          # A post in your own database
          postsctl create-post --title 'Hello' --body 'First words.'
          # A post on a server, in the name of user 3
          postsctl create-post --url https://example.com --user 3 --title Hi --body Yo
          # The ID of the new post, with jq
          postsctl create-post --title Hi --body Yo --output json | jq .id

        """)
  }

  @Test(arguments: Tool.declaration.commands.map(\.name))
  func `P7: every command has examples that parse, and help within 80 columns`(
    name: String
  ) async throws {
    let declaration = try #require(Tool.declaration.commands.first { $0.name == name })
    let help = HelpText(tool: Tool.declaration).text(for: declaration)

    #expect(!declaration.examples.isEmpty)
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= HelpText.width })
    for example in declaration.examples {
      // The part before the pipe, with its quoted words as one argument each.
      let command = example.line.split(separator: " | ")[0]
      let quoted = command.split(separator: "'", omittingEmptySubsequences: false)
      var arguments: [String] = []
      for (index, part) in quoted.enumerated() {
        arguments +=
          index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
      }
      #expect(arguments.first == "postsctl")
      let request = try ArgumentParser(tool: Tool.declaration).parse(Array(arguments.dropFirst()))
      guard case .command(let parsed) = request else {
        Issue.record("\(example.line) is not a command.")
        continue
      }
      let type = try #require(Tool.commands.first { $0.declaration.name == parsed.command.name })
      #expect(throws: Never.self) { try type.init(parsed) }
      #expect(parsed.command.name == name)
    }
  }

  @Test(arguments: [(39, 0), (40, 1)])
  func `P7: a line of help holds 80 columns and no more`(last: Int, breaks: Int) {
    let word = String(repeating: "x", count: 40)
    let command = CommandDeclaration(
      name: "run", summary: "\(word) \(String(repeating: "y", count: last))", examples: [])

    let summary = HelpText(tool: Tool.declaration).text(for: command)
      .prefix { $0 != "U" }.dropLast(2)

    #expect(summary.count { $0 == "\n" } == breaks)
    #expect(summary.count == 40 + 1 + last)
  }

  @Test func `P7: the version is one line`() async {
    let run = await TestRun("--version", environment: [:])

    #expect(run.ending == .exit(.ok))
    #expect(run.output == "postsctl \(Tool.version)\n")
  }

  @Test func `P7: help works with a broken configuration`() async {
    let broken = ["POSTSCTL_URL": "ftp://nowhere", "HOME": "relative"]
    let run = await TestRun("fetch-posts", "--help", environment: broken)

    #expect(run.ending == .exit(.ok))
    #expect(run.output.hasPrefix("Fetch all posts and print them.\n"))
    #expect(run.opened.isEmpty)
  }
}
