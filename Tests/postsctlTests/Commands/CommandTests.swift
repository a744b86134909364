import Services
import Testing

@testable import postsctl

@Suite(.timeLimit(.minutes(5))) struct `Commands` {
  private let posts = [Post(id: 1, userID: 2, title: "Title", body: "Body")]
  private let users = [User(id: 2, name: "Ada", username: "ada")]

  @Test func `P1: fetch-posts asks the service once and prints what it has`() async {
    let service = FakeDataService(posts: posts)

    let run = await TestRun("fetch-posts", service: service)

    #expect(run.ending == .exit(.ok))
    #expect(
      run.output == """
        ID  USER  TITLE  BODY
        1   2     Title  Body

        """)
    #expect(run.errorOutput.isEmpty)
    #expect(service.calls == [.fetchPosts])
    #expect(run.closeCount == 1)
  }

  @Test func `P1: fetch-users asks the service once and prints what it has`() async {
    let service = FakeDataService(users: users)

    let run = await TestRun("fetch-users", service: service)

    #expect(run.ending == .exit(.ok))
    #expect(
      run.output == """
        ID  NAME  USERNAME  EMAIL  PHONE  WEBSITE
        2   Ada   ada       -      -      -

        """)
    #expect(service.calls == [.fetchUsers])
    #expect(run.closeCount == 1)
  }

  @Test func `P1: create-post creates one post and prints it as confirmed`() async {
    let service = FakeDataService(posts: [Post(id: 100, title: "", body: "")])

    let run = await TestRun(
      "create-post", "--title", "-x", "--body=", "--user", "7", "--output=json", service: service)

    #expect(run.ending == .exit(.ok))
    #expect(
      run.output == """
        {
          "body": "",
          "id": 101,
          "title": "-x",
          "userId": 7
        }

        """)
    #expect(service.calls == [.createPost(PostDraft(userID: 7, title: "-x", body: ""))])
    #expect(run.closeCount == 1)
  }

  @Test(arguments: ["fetch-users", "fetch-posts"])
  func `P3: json is one document also when there is nothing`(command: String) async {
    #expect(await TestRun("--output", "json", command).output == "[]\n")
  }

  @Test(
    arguments: [
      (["create-post"], "create-post needs --title TEXT."),
      (["create-post", "--title", "T"], "create-post needs --body TEXT."),
      (
        ["create-post", "--title=", "--body=B"],
        "--title cannot be an empty value: expected a title with something to read in it."
      ),
      (
        ["create-post", "--title", " \n\u{A0}", "--body=B"],
        "--title cannot be ' ⏎\u{A0}': expected a title with something to read in it."
      ),
      (
        ["create-post", "--title=T", "--body=B", "--user="],
        "--user cannot be an empty value: expected the ID of a user."
      ),
      (
        ["create-post", "--title=T", "--body=B", "--database="],
        "--database cannot be an empty value: expected the path of a file."
      ),
      (
        ["create-post", "--title=T", "--body=B", "--url=http://h", "--database=f"],
        "--url and --database exclude each other: a command uses one service."
      ),
    ] as [([String], String)])
  func `P4: arguments that make no sense are refused before anything is opened`(
    arguments: [String], message: String
  ) async {
    let run = await TestRun(list: arguments)

    #expect(run.ending == .exit(.usage))
    #expect(run.output.isEmpty)
    #expect(
      run.errorOutput == "postsctl: \(message)\nSee 'postsctl \(arguments[0]) --help'.\n")
    #expect(run.opened.isEmpty)
  }

  @Test(
    arguments: [
      ("7", 7), ("-7", -7), ("0", 0), ("007", "007"), ("+7", "+7"), ("7.0", "7.0"), ("a1", "a1"),
      ("9223372036854775807", .number(.max)), ("9223372036854775808", "9223372036854775808"),
      ("-0", "-0"),
    ] as [(String, RecordID)])
  func `an ID is a number only if it comes back as it was typed`(text: String, id: RecordID) {
    #expect(RecordID(argument: text) == id)
  }
}
