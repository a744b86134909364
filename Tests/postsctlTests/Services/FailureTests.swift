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
      let service = TestService(failure: error)
      let run = await TestRun(
        list: command.split(separator: " ").map(String.init), service: service)

      #expect(run.ending == .exit(code))
      #expect(run.output.isEmpty)
      #expect(run.errorOutput.hasPrefix("postsctl: cannot "))
      #expect(run.errorOutput.split(separator: "\n").count == 1)
      #expect(service.requests.count == 2)
      #expect(service.requests.last == "close")
    }
  }
}
