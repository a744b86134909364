import Services
import Testing

@testable import postsctl

@Suite(.timeLimit(.minutes(1))) struct `Failures` {
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
        .unreachable(reason: "connection refused"),
        "http://127.0.0.1:8080/api cannot be reached: connection refused. Check that the URL, "
          + "which comes from --url or POSTSCTL_URL, is the right one."
      ),
      (
        .timedOut(reason: "the total limit of 5 s was reached."),
        "http://127.0.0.1:8080/api did not answer in time: the total limit of 5 s was reached. "
          + "More time can be allowed with --timeout SECONDS."
      ),
      (
        .unauthorized(status: 401, message: "Missing API key!"),
        "http://127.0.0.1:8080/api answered with status 401: Missing API key! If the server wants "
          + "a user name and a password, put them into the URL in POSTSCTL_URL."
      ),
      (
        .rejected(status: 404, message: ""),
        "http://127.0.0.1:8080/api answered with status 404. Check the path of the URL: users and "
          + "posts are looked for below it, at /users and /posts."
      ),
      (
        .rejected(status: 422, message: "title is too long"),
        "http://127.0.0.1:8080/api answered with status 422: title is too long. The server does "
          + "not accept the request: ask those who run it what it expects."
      ),
      (
        .rejected(status: 503, message: "down\u{1B}[2J\nfor now"),
        "http://127.0.0.1:8080/api answered with status 503: down␛[2J⏎for now. The fault is the "
          + "server's: try again later, or ask those who run it."
      ),
      (
        .rejected(status: 301, message: "it redirects to http://b/"),
        "http://127.0.0.1:8080/api answered with status 301: it redirects to http://b/. Use the "
          + "URL that the server redirects to."
      ),
      (
        .badResponse(location: "[3].userId", reason: "expected a number, found null"),
        "http://127.0.0.1:8080/api answered with something else than was asked for. [3].userId: "
          + "expected a number, found null. Check that the URL is that of a server of users and "
          + "posts, and not of its web pages."
      ),
      (
        .badResponse(location: "The whole answer", reason: "found nothing"),
        "http://127.0.0.1:8080/api answered with something else than was asked for. "
          + "The whole answer: found nothing. "
          + "Check that the URL is that of a server of users and posts, and not of its web pages."
      ),
      (.invalidRequest(reason: "there is no user 9"), "there is no user 9."),
      (
        .storage(path: "/data/posts.db", reason: "it is a folder"),
        "the database '/data/posts.db' cannot be used: it is a folder. Another file can be named "
          + "with --database FILE."
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

  @Test(
    arguments: [
      (.rejected(status: 503, message: ""), true),
      (.timedOut(reason: "5 s"), false),
      (.badResponse(location: "", reason: "cut off"), false),
      (.rejected(status: 500, message: ""), true),
      (.unreachable(reason: "refused"), false),
      (.rejected(status: 404, message: ""), false),
      (.unauthorized(status: 401, message: ""), false),
      (.invalidRequest(reason: "no"), false),
      (.storage(path: "/x", reason: "no"), false),
    ] as [(DataServiceError, Bool)])
  func `P10: a server's own failure leaves open whether the post is stored, and says so`(
    error: DataServiceError, isOpen: Bool
  ) async {
    let hint =
      "The post may be stored all the same: look with 'postsctl fetch-posts' before you try "
      + "again."

    let created = await TestRun(
      "create-post", "--title", "T", "--body", "B", service: FakeDataService.failing(error))
    let fetched = await TestRun("fetch-posts", service: FakeDataService.failing(error))

    #expect(created.errorOutput.contains(hint) == isOpen)
    #expect(created.errorOutput.contains("all the same") == isOpen)
    #expect(!fetched.errorOutput.contains("all the same"))
  }
}
