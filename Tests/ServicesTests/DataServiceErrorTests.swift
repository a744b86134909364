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
      .unreachable(reason: "the connection was lost", isOutcomeOpen: true),
      "The server could not be reached: the connection was lost. The post may be stored all the "
        + "same; look before you send it again."
    ),
    (
      .badResponse(location: "id", reason: "found null. Odd.", isOutcomeOpen: true),
      "The server's answer cannot be used. id: found null. Odd. The post may be stored all the "
        + "same; look before you send it again."
    ),
    (
      .rejected(status: 503, message: ""),
      "The server could not serve the request (status 503). A post that was sent may be stored all "
        + "the same; for anything else try again later."
    ),
    (
      .rejected(status: 429, message: "slow down!"),
      "The server could not serve the request (status 429): slow down! Try again later."
    ),
    (
      .rejected(status: 302, message: "it redirects to https://h/posts"),
      "The server answered with a redirect (status 302): it redirects to https://h/posts. A "
        + "post that was sent may be stored all the same; for anything else use the address that "
        + "it names."
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
    (
      .diskFailure(path: "/a/b", reason: "the disk is gone"),
      "The posts file /a/b cannot be read or written: the disk is gone. Check that the disk works "
        + "and has space left."
    ),
    (
      .internalFailure(reason: "the client was shut down"),
      "The service failed in a way that it should not: the client was shut down. This is a "
        + "defect; please report it with this message."
    ),
    (.cancelled, "The request was cancelled."),
  ])
  func `D1: an error says what failed and what to try`(error: DataServiceError, text: String) {
    #expect(error.description == text)
    #expect("\(error)" == text)
  }

  @Test(arguments: [
    (DataServiceError.rejected(status: 303, message: ""), true),
    (.rejected(status: 300, message: ""), true), (.rejected(status: 399, message: ""), true),
    (.rejected(status: 400, message: ""), false), (.rejected(status: 408, message: ""), true),
    (.rejected(status: 409, message: ""), false), (.rejected(status: 429, message: ""), false),
    (.rejected(status: 500, message: ""), true), (.rejected(status: 599, message: ""), true),
    (.unauthorized(status: 401, message: ""), false),
    (.unreachable(reason: ""), false), (.unreachable(reason: "", isOutcomeOpen: true), true),
    (.timedOut(reason: ""), false), (.timedOut(reason: "", isOutcomeOpen: true), true),
    (.badResponse(location: "", reason: ""), false),
    (.badResponse(location: "", reason: "", isOutcomeOpen: true), true),
    (.internalFailure(reason: ""), false),
    (.internalFailure(reason: "", isOutcomeOpen: true), true),
    (.diskFailure(path: "", reason: ""), false),
    (.diskFailure(path: "", reason: "", isOutcomeOpen: true), true),
    (.storage(path: "", reason: ""), false), (.invalidRequest(reason: ""), false),
    (.cancelled, true),
  ])
  func `D1: an error says whether a post may be stored all the same`(
    error: DataServiceError, isOpen: Bool
  ) {
    #expect(error.leavesCreationOpen == isOpen)
  }

  @Test(arguments: [
    (DataServiceError.unreachable(reason: ""), true),
    (.unreachable(reason: "", isTransient: false), false), (.timedOut(reason: ""), true),
    (.rejected(status: 429, message: ""), true), (.rejected(status: 503, message: ""), true),
    (.rejected(status: 404, message: ""), false), (.rejected(status: 501, message: ""), false),
    (.storage(path: "", reason: ""), false), (.diskFailure(path: "", reason: ""), false),
    (.internalFailure(reason: ""), false), (.cancelled, false),
  ])
  func `D1: an error says whether the same request could succeed later`(
    error: DataServiceError, isTransient: Bool
  ) {
    #expect(error.isTransient == isTransient)
  }
}
