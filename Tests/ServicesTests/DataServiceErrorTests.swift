import Testing

@testable import Services

@Suite struct DataServiceErrorTests {
  @Test(arguments: [
    (
      DataServiceError.unreachable(reason: "no route to host"),
      "The server could not be reached: no route to host. Check the address, and that the server "
        + "runs and can be reached from here."
    ),
    (
      .unreachable(reason: "GET http://h/ failed: no such host. Check its spelling."),
      "The server could not be reached: GET http://h/ failed: no such host. Check its spelling."
    ),
    (
      .timedOut(reason: "no answer in 30 s"),
      "The server did not answer in time: no answer in 30 s. Try again, or allow more time."
    ),
    (
      .unauthorized(status: 401, message: "a token is needed"),
      "The server refuses access (status 401): a token is needed. Check the credentials, and that "
        + "they permit this."
    ),
    (
      .rejected(status: 404, message: "it gave no reason"),
      "The server rejected the request (status 404): it gave no reason. Check the address and what "
        + "was sent."
    ),
    (
      .rejected(status: 400, message: "Title is missing."),
      "The server rejected the request (status 400): Title is missing. Check the address and what "
        + "was sent."
    ),
    (
      .rejected(status: 503, message: ""),
      "The server could not serve the request (status 503). The cause is on the server's side; try "
        + "again later."
    ),
    (
      .rejected(status: 429, message: "slow down!"),
      "The server could not serve the request (status 429): slow down! The cause is on the server's "
        + "side; try again later."
    ),
    (
      .rejected(status: 302, message: "it redirects to https://h/posts"),
      "The server answered with a redirect (status 302): it redirects to https://h/posts. Use the "
        + "address that it names."
    ),
    (
      .badResponse(location: "[3].userId", reason: "expected a number or a string, found null"),
      "The server's answer cannot be used. [3].userId: expected a number or a string, found null. "
        + "Check that the address is the one of a posts API."
    ),
    (
      .invalidRequest(reason: "the post has no title. Give it a title that is not blank."),
      "The request cannot be made: the post has no title. Give it a title that is not blank."
    ),
    (
      .storage(path: "/a/b", reason: "it is a folder. Name a file, perhaps one inside it."),
      "The posts file /a/b cannot be used: it is a folder. Name a file, perhaps one inside it."
    ),
    (.cancelled, "The request was cancelled."),
  ])
  func `D1: an error says what failed and what to try`(error: DataServiceError, text: String) {
    #expect(error.description == text)
    #expect("\(error)" == text)
  }
}
