import Testing

@testable import Services

@Suite struct JSONPlaceholderTests {
  @Test func `D2: users are read as JSONPlaceholder sends them`() throws {
    // Given one of its users, with all that we do not keep
    let answer = ServerAnswer(
      """
      [{"id": 1, "name": "Zoë Lindqvist-Park", "username": "zoe", "email": "zoe@posts.example",
        "address": {"street": "Mill Lane 15", "geo": {"lat": "45.25", "lng": "5.5"}},
        "phone": "+00 005", "website": "zoe.example", "company": {"name": "Kvarnen"}}]
      """)

    // When it is read, then the name is whole: nobody can say where it would have to be split
    #expect(
      try JSONPlaceholder.users(from: answer) == [
        User(
          id: 1, name: "Zoë Lindqvist-Park", username: "zoe", email: "zoe@posts.example",
          phone: "+00 005", website: "zoe.example")
      ])
  }

  @Test(arguments: [
    (#"{"id": 1, "name": "A B"}"#, User(id: 1, name: "A B")),
    (#"{"id": "1", "name": "A"}"#, User(id: "1", name: "A")),
    (#"{"id": 9223372036854775807, "name": "A"}"#, User(id: 9_223_372_036_854_775_807, name: "A")),
    (
      #"{"id": 1, "firstName": "A", "lastName": "B"}"#,
      User(id: 1, name: "A B", firstName: "A", lastName: "B")
    ),
    (
      #"{"id": 1, "first_name": "A", "last_name": "B"}"#,
      User(id: 1, name: "A B", firstName: "A", lastName: "B")
    ),
    (
      #"{"id": 1, "name": "Dr A", "firstName": "A", "lastName": "B"}"#,
      User(id: 1, name: "Dr A", firstName: "A", lastName: "B")
    ),
    (#"{"id": 1, "firstName": "A"}"#, User(id: 1, name: "A", firstName: "A")),
    (#"{"id": 1, "name": null, "lastName": "B"}"#, User(id: 1, name: "B", lastName: "B")),
    (#"{"id": 1, "name": "A", "phone": null, "email": null}"#, User(id: 1, name: "A")),
    (#"{"id": 1, "name": "  A "}"#, User(id: 1, name: "  A ")),
  ])
  func `D2: a user is read in every spelling`(json: String, user: User) throws {
    #expect(try JSONPlaceholder.users(from: ServerAnswer("[\(json)]")) == [user])
  }

  @Test(arguments: [
    (
      #"{"userId": 1, "id": 2, "title": "t", "body": "a\nb"}"#,
      Post(id: 2, userID: 1, title: "t", body: "a\nb")
    ),
    (
      #"{"user_id": "u", "id": "p", "title": "t", "body": ""}"#,
      Post(id: "p", userID: "u", title: "t", body: "")
    ),
    (#"{"author": 4, "id": 2, "title": "t"}"#, Post(id: 2, userID: 4, title: "t", body: "")),
    (#"{"id": 2, "title": "", "body": null}"#, Post(id: 2, title: "", body: "")),
    (#"{"id": -2, "title": "t", "tags": [1, {}]}"#, Post(id: -2, title: "t", body: "")),
    (#"{"id": 0, "title": "\u2028\u0000"}"#, Post(id: 0, title: "\u{2028}\0", body: "")),
  ])
  func `D2: a post is read in every spelling`(json: String, post: Post) throws {
    #expect(try JSONPlaceholder.posts(from: ServerAnswer("[\(json)]")) == [post])
  }

  @Test(arguments: ["[]", " [ ] \n", "\u{FEFF}[]"])
  func `D2: no posts is an answer too`(json: String) throws {
    #expect(try JSONPlaceholder.posts(from: ServerAnswer(json)) == [])
  }

  @Test(arguments: [
    ("userId", "null", "a number or a string", "null"),
    ("userId", "true", "a number or a string", "true or false"),
    ("userId", "[1]", "a number or a string", "an array"),
    ("user_id", "{}", "a number or a string", "an object"),
    ("author", #"{"id": 1}"#, "a number or a string", "an object"),
    ("id", "null", "a number or a string", "null"),
    ("id", "7.5", "a number or a string", "a number that is no 64-bit integer"),
    ("id", "9223372036854775808", "a number or a string", "a number that is no 64-bit integer"),
    ("id", "false", "a number or a string", "true or false"),
    ("title", "null", "a string", "null"),
    ("title", "7", "a string", "a number"),
    ("title", #"{"rendered": "t"}"#, "a string", "an object"),
    ("body", #"["a"]"#, "a string", "an array"),
    ("body", "1e400", "a string", "a number"),
  ])
  func `D2: a value of the wrong type is named with its place`(
    field: String, value: String, expected: String, found: String
  ) throws {
    // Given three good posts and one with something else in one field
    var fields = ["id": "4", "title": #""t""#, "body": #""b""#]
    fields[field] = value
    let object = fields.map { #""\#($0)": \#($1)"# }.sorted().joined(separator: ", ")
    let good = #"{"id": 1, "userId": 1, "title": "t", "body": "b"}"#

    // When they are read
    let error = #expect(throws: DataServiceError.self) {
      try JSONPlaceholder.posts(from: ServerAnswer("[\(good), \(good), \(good), {\(object)}]"))
    }

    // Then the error says where, what it had to be, what it was, and what the answer was
    guard case .badResponse(let location, let reason, false) = error else {
      Issue.record("not a bad response: \(String(describing: error))")
      return
    }
    #expect(location == "[3].\(field)")
    #expect(
      reason == "expected \(expected), found \(found); the answer was status 200, "
        + "application/json, beginning: \(SafeExcerpt("[\(good), \(good), \(good)"))")
  }

  @Test(arguments: [
    (#"{"title": "t"}"#, "[0].id", "expected a number or a string, found no such field"),
    (#"{"id": 1}"#, "[0].title", "expected a string, found no such field"),
    ("7", "[0]", "expected an object, found a number"),
    ("null", "[0]", "expected an object, found null"),
    ("[]", "[0]", "expected an object, found an array"),
  ])
  func `D2: an element that is no post is named`(
    json: String, location: String, reason: String
  ) throws {
    #expect(
      throws: DataServiceError.badResponse(
        location: location,
        reason: reason + "; the answer was status 200, application/json, beginning: [\(json)]")
    ) { try JSONPlaceholder.posts(from: ServerAnswer("[\(json)]")) }
  }

  @Test func `D2: a user without any name is named`() throws {
    #expect(
      throws: DataServiceError.badResponse(
        location: "[1].name",
        reason: "expected a name, or a first and a last name, found no such field; the answer was "
          + #"status 200, application/json, beginning: [{"id":1,"name":"A"},{"id":2}]"#)
    ) {
      try JSONPlaceholder.users(from: ServerAnswer(#"[{"id":1,"name":"A"},{"id":2}]"#))
    }
  }

  @Test(arguments: [
    ("", "nothing", "an empty body"),
    (" \r\n\t", "nothing", "an empty body"),
    (
      "<!DOCTYPE html>\n<html>\n  <h1>Sign in</h1>", "a web page instead of JSON", nil
    ),
    (#"[{"id": 1, "ti"#, "JSON that is cut off or damaged", #"beginning: [{"id": 1, "ti"#),
    ("[{\"id\": 1}", "JSON that is cut off or damaged", #"beginning: [{"id": 1}"#),
    ("[] []", "JSON that is cut off or damaged", "beginning: [] []"),
    ("{}", "an object", "beginning: {}"),
    (#"{"message": "no"}"#, "an object", #"beginning: {"message": "no"}"#),
    ("null", "null", "beginning: null"),
    ("17", "a number", "beginning: 17"),
    (#""text""#, "a string", #"beginning: "text""#),
    ("true", "true or false", "beginning: true"),
    ("Hello, \u{1B}[31mworld", "something that is not JSON", "beginning: Hello, \u{FFFD}[31mworld"),
  ])
  func `D2: an answer that is no list is described`(
    body: String, found: String, description: String?
  ) throws {
    #expect(
      throws: DataServiceError.badResponse(
        location: "The whole answer",
        reason: "expected an array of posts, found \(found); the answer was status 200, "
          + "application/json" + (description.map { ", \($0)" } ?? ""))
    ) { try JSONPlaceholder.posts(from: ServerAnswer(body)) }
  }

  @Test func `D2: an answer without a content type and with bytes that are no text is described`()
    throws
  {
    let answer = ServerAnswer(
      status: 203, contentType: nil, location: nil, body: [0xFF, 0x00, 0x9F])
    #expect(
      throws: DataServiceError.badResponse(
        location: "The whole answer",
        reason: "expected an array of users, found something that is not JSON; the answer was "
          + "status 203, no content type, beginning: \u{FFFD}\u{FFFD}\u{FFFD}")
    ) { try JSONPlaceholder.users(from: answer) }
  }
}
