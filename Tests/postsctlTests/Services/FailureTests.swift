import Services
import Testing

@testable import postsctl

@Suite(.timeLimit(.minutes(5))) struct `Failures` {
  @Test(
    arguments: [
      (.unreachable(reason: "refused"), .unreachable),
      (.timedOut(reason: "5 s"), .timedOut),
      (.unauthorized(status: 401, message: ""), .unauthorized),
      (.unauthorized(status: 403, message: ""), .unauthorized),
      (.rejected(status: 301, message: ""), .redirect),
      (.rejected(status: 399, message: ""), .redirect),
      (.rejected(status: 400, message: ""), .clientError),
      (.rejected(status: 404, message: ""), .clientError),
      (.rejected(status: 499, message: ""), .clientError),
      (.rejected(status: 500, message: ""), .serverError),
      (.rejected(status: 599, message: ""), .serverError),
      (.rejected(status: 100, message: ""), .badResponse),
      (.badResponse(location: "[3].userId", reason: "null"), .badResponse),
      (.invalidRequest(reason: "no"), .usage),
      (.storage(path: "/x", reason: "no"), .badFile),
      (.diskFailure(path: "/x", reason: "full"), .outputFailed),
      (.internalFailure(reason: "a defect"), .internalFault),
      (.cancelled, .internalFault),
    ] as [(DataServiceError, ExitCode)])
  func `P4: every error of a service has its exit code, and prints nothing`(
    error: DataServiceError, code: ExitCode
  ) async {
    for command in ["fetch-users", "fetch-posts", "create-post --title T --body B"] {
      let service = FakeDataService.failing(error)
      let run = await TestRun(
        list: command.split(separator: " ").map(String.init), service: service)

      #expect(run.ending == .exit(code))
      #expect(run.output.isEmpty)
      #expect(run.errorOutput.hasPrefix("postsctl: cannot "))
      #expect(run.errorOutput.split(separator: "\n").count == 1)
      #expect(service.calls.count == 1)
      #expect(run.closeCount == 1)
    }
  }

  @Test(
    arguments: [
      (
        .unreachable(reason: "no connection to 127.0.0.1:8080. Is a server running there?"),
        "no connection to 127.0.0.1:8080. Is a server running there? The URL comes from --url."
      ),
      (
        .timedOut(reason: "no answer after 5.0 seconds"),
        "http://127.0.0.1:8080/api did not answer in time: no answer after 5.0 seconds. "
          + "More time can be allowed with --timeout SECONDS."
      ),
      (
        .unauthorized(status: 401, message: "Missing API key!"),
        "http://127.0.0.1:8080/api answered with status 401: Missing API key! If the server wants "
          + "a user name and a password, put them into the URL in POSTSCTL_URL."
      ),
      (
        .rejected(status: 404, message: ""),
        "http://127.0.0.1:8080/api answered with status 404. Is its path right? Users and posts "
          + "are looked for below it, at /users and /posts. The URL comes from --url."
      ),
      (
        .rejected(status: 422, message: "title is too long"),
        "http://127.0.0.1:8080/api answered with status 422: title is too long. The server does "
          + "not accept the request: ask those who run it what it expects."
      ),
      (
        .rejected(status: 503, message: "down\u{1B}[2J\nfor now"),
        "http://127.0.0.1:8080/api answered with status 503: down␛[2J⏎for now. The fault is not "
          + "in the request: try again later, or ask those who run the server."
      ),
      (
        .rejected(status: 301, message: "it redirects to http://b/"),
        "http://127.0.0.1:8080/api answered with status 301: it redirects to http://b/. Use the "
          + "URL that the server redirects to."
      ),
      (
        .badResponse(location: "[3].userId", reason: "expected a number, found null"),
        "http://127.0.0.1:8080/api answered with something else than was asked for. [3].userId: "
          + "expected a number, found null. Is it a server of users and posts? The URL comes from "
          + "--url."
      ),
      (.invalidRequest(reason: "there is no user 9"), "there is no user 9."),
      (
        .storage(path: "/data/posts.db", reason: "it is a folder. Name a file."),
        "the database '/data/posts.db' cannot be used: it is a folder. Name a file."
      ),
      (
        .diskFailure(path: "/data/posts.db", reason: "there is no space left. Free some."),
        "the database '/data/posts.db' cannot be read or written: there is no space left. Free "
          + "some."
      ),
      (
        .internalFailure(reason: "libcurl refused an option"),
        "libcurl refused an option. This is a fault of postsctl: please report it."
      ),
      (
        .cancelled,
        "it was cancelled, which nothing here asks for. This is a fault of postsctl: please "
          + "report it."
      ),
    ] as [(DataServiceError, String)])
  func `P5: the message says what failed, where, why and what to try`(
    error: DataServiceError, message: String
  ) async {
    let run = await TestRun(
      "fetch-posts", "--url", "http://127.0.0.1:8080/api", service: FakeDataService.failing(error))

    #expect(run.errorOutput == "postsctl: cannot fetch the posts: \(message)\n")
  }

  @Test(arguments: [
    ("https://h/api/posts", "Leave off /posts: it is added to the URL."),
    ("https://h/posts/", "Leave off /posts: it is added to the URL."),
    ("https://h/users", "Leave off /users: it is added to the URL."),
    ("https://h/myposts", "Is its path right?"),
    ("https://h/posts/api", "Is its path right?"),
  ])
  func `P5: a URL with what is added to it already is told apart`(
    url: String, advice: String
  ) async {
    let service = FakeDataService.failing(.rejected(status: 404, message: ""))
    let run = await TestRun("fetch-users", environment: ["POSTSCTL_URL": url], service: service)

    #expect(run.errorOutput.contains("answered with status 404. \(advice)"))
    #expect(run.errorOutput.hasSuffix(" The URL comes from POSTSCTL_URL.\n"))
  }

  @Test func `P5: whoever named no database is told how`() async {
    let service = FakeDataService.failing(.storage(path: "/x", reason: "it is damaged. Move it."))

    let run = await TestRun("fetch-posts", service: service)

    #expect(
      run.errorOutput.hasSuffix(
        "it is damaged. Move it. Another file can be named with --database FILE.\n"))
  }

  @Test(
    arguments: [
      (.rejected(status: 503, message: ""), true), (.rejected(status: 408, message: ""), true),
      (.timedOut(reason: "5 s", isOutcomeOpen: true), true), (.timedOut(reason: "5 s"), false),
      (.badResponse(location: "", reason: "cut off", isOutcomeOpen: true), true),
      (.unreachable(reason: "refused"), false),
      (.unreachable(reason: "lost", isOutcomeOpen: true), true),
      (.rejected(status: 404, message: ""), false),
      (.unauthorized(status: 401, message: ""), false),
      (.invalidRequest(reason: "no"), false),
      (.storage(path: "/x", reason: "no"), false),
    ] as [(DataServiceError, Bool)])
  func `P10: where the post may be stored, the only advice is to look`(
    error: DataServiceError, isOpen: Bool
  ) async {
    let advice =
      " The post may be stored all the same: look with 'postsctl fetch-posts' before you try "
      + "again.\n"

    let created = await TestRun(
      "create-post", "--title", "T", "--body", "B", service: FakeDataService.failing(error))
    let fetched = await TestRun("fetch-posts", service: FakeDataService.failing(error))

    #expect(created.errorOutput.hasSuffix(advice) == isOpen)
    #expect(created.errorOutput.contains("all the same") == isOpen)
    #expect(!isOpen || !created.errorOutput.contains("try again later"))
    #expect(!fetched.errorOutput.contains("all the same"))
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `P10: after a redirect the post may be stored, and nobody is sent to post it again`(
    status: Int
  ) async {
    let error = DataServiceError.rejected(status: status, message: "it redirects to /posts/7")

    let run = await TestRun(
      "create-post", "--title", "T", "--body", "B", service: FakeDataService.failing(error))

    #expect(
      run.errorOutput.hasSuffix(
        "it redirects to /posts/7. The post may be stored all the same: look with 'postsctl "
          + "fetch-posts' before you try again, with the URL that the server redirects to.\n"))
  }
}
