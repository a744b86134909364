import Testing

@testable import Services

@Suite struct JSONPlaceholderCreationTests {
  private let draft = PostDraft(userID: 1, title: "t", body: "a\nb")

  @Test(arguments: [
    (
      PostDraft(userID: 1, title: "a/b", body: "x\n\"y\"\0"),
      #"{"body":"x\n\"y\"\u0000","title":"a/b","userId":1}"#
    ),
    (PostDraft(userID: "u", title: "é", body: ""), #"{"body":"","title":"é","userId":"u"}"#),
    (PostDraft(title: "t", body: "b"), #"{"body":"b","title":"t"}"#),
  ])
  func `D2: a draft is sent as JSON`(draft: PostDraft, json: String) throws {
    let body = try JSONPlaceholder.body(of: draft)
    #expect(String(decoding: body, as: UTF8.self) == json)
  }

  @Test(arguments: [
    (
      #"{"id": 101, "userId": 1, "title": "t", "body": "a\nb"}"#,
      Post(id: 101, userID: 1, title: "t", body: "a\nb")
    ),
    (
      #"{"id": "x1", "user_id": "1", "title": "T", "body": "trimmed"}"#,
      Post(id: "x1", userID: "1", title: "T", body: "trimmed")
    ),
    (#"{"id": 101}"#, Post(id: 101, userID: 1, title: "t", body: "a\nb")),
    (#"{"id": 101, "title": null}"#, Post(id: 101, userID: 1, title: "t", body: "a\nb")),
  ])
  func `D2: a created post is what the server says, and else what was sent`(
    json: String, post: Post
  ) throws {
    for status in [200, 201] {
      let answer = ServerAnswer(json, status: status)
      #expect(try JSONPlaceholder.createdPost(from: answer, draft: draft) == post)
    }
  }

  @Test(arguments: [
    ("http://h/api/posts/101", RecordID.number(101)),
    ("/posts/101/", .number(101)),
    ("posts/a-1?x=1#y", .text("a-1")),
    ("/posts/007", .text("007")),
    ("/posts/a%20b", .text("a b")),
  ])
  func `D2: an empty answer may name the new post in its Location`(
    location: String, id: RecordID
  ) throws {
    for status in [200, 201, 204] {
      let answer = ServerAnswer("", status: status, location: location)
      #expect(
        try JSONPlaceholder.createdPost(from: answer, draft: draft)
          == Post(id: id, userID: 1, title: "t", body: "a\nb"))
    }
  }

  @Test func `D2: an answer without identity may name the new post in its Location`() throws {
    let answer = ServerAnswer(#"{"title": "t"}"#, status: 201, location: "/posts/5")
    #expect(try JSONPlaceholder.createdPost(from: answer, draft: draft).id == 5)
  }

  @Test(arguments: [nil, "", "/", "/posts", "/posts/", "http://posts/7", "/users/7", "http://["])
  func `D2: an empty answer that names no post says that one may be stored`(
    location: String?
  ) throws {
    #expect(
      throws: DataServiceError.badResponse(
        location: "The whole answer",
        reason: "expected the new post's identity, found none; the answer was status 201, "
          + "application/json, an empty body", isOutcomeOpen: true)
    ) {
      try JSONPlaceholder.createdPost(
        from: ServerAnswer("", status: 201, location: location), draft: draft)
    }
  }

  @Test(arguments: [
    (
      #"{"id": null}"#, "id", "expected a number or a string, found null"
    ),
    (
      "{}", "The whole answer", "expected the new post's identity, found none"
    ),
    (
      "[]", "The whole answer", "expected an object, found an array"
    ),
    (
      #"{"id": 1"#, "The whole answer",
      "expected the post that was stored, found JSON that is cut off or damaged"
    ),
    (
      "<html>", "The whole answer",
      "expected the post that was stored, found a web page instead of JSON"
    ),
  ])
  func `D2: an answer that cannot be read says that a post may be stored`(
    body: String, location: String, reason: String
  ) throws {
    #expect(
      throws: DataServiceError.badResponse(
        location: location,
        reason: "\(reason); the answer was status 200, application/json"
          + (body.hasPrefix("<") ? "" : ", beginning: \(body)"),
        isOutcomeOpen: true)
    ) { try JSONPlaceholder.createdPost(from: ServerAnswer(body), draft: draft) }
  }

  @Test func `D2: a refusal does not claim that a post may be stored`() throws {
    #expect(throws: DataServiceError.rejected(status: 422, message: "title is too long")) {
      try JSONPlaceholder.createdPost(
        from: ServerAnswer(#"{"message": "title is too long"}"#, status: 422), draft: draft)
    }
  }
}
