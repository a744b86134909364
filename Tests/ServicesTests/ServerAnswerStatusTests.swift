import Testing

@testable import Services

@Suite struct ServerAnswerStatusTests {
  @Test(arguments: [200, 201, 204, 206, 299])
  func `D2: a success is no error`(status: Int) throws {
    try ServerAnswer("", status: status).checkStatus()
  }

  @Test(arguments: [401, 403])
  func `D2: a refusal of access is its own error`(status: Int) throws {
    #expect(throws: DataServiceError.unauthorized(status: status, message: "a token is needed")) {
      try ServerAnswer(#"{"message": "a token is needed"}"#, status: status).checkStatus()
    }
  }

  @Test(arguments: [
    (#"{"message": "not\u001b[31m so"}"#, "not\u{FFFD}[31m so"),
    (#"{"error": "Not Found"}"#, "Not Found"),
    (#"{"error": {"message": "deep", "code": 3}}"#, "deep"),
    (#"{"message": 7, "error": "words"}"#, "words"),
    (#"{"message": "", "error": "x"}"#, #"{"message": "", "error": "x"}"#),
    (#"{"status": "bad"}"#, #"{"status": "bad"}"#),
    (#"[{"field": "title"}]"#, #"[{"field": "title"}]"#),
    ("Bad\n\n Gateway", "Bad Gateway"),
    ("\u{FEFF}\n<h1>Bad Gateway</h1>", "it gave no reason but a web page"),
    ("{}", "it gave no reason"),
    ("", "it gave no reason"),
    (" \n", "it gave no reason"),
  ])
  func `D2: an error status brings the server's words`(body: String, message: String) throws {
    for status in [400, 404, 429, 500, 503, 100, 600] {
      #expect(throws: DataServiceError.rejected(status: status, message: message)) {
        try ServerAnswer(body, status: status).checkStatus()
      }
    }
  }

  @Test(arguments: [
    (301, "https://h/posts", "it redirects to https://h/posts"),
    (302, "\u{202E}/x\r\n", "it redirects to \u{FFFD}/x"),
    (303, "https://ada:s3cret@h/?token=s3cret&a=1", "it redirects to https://h/?token=***&a=1"),
    (302, "/login?s3cret#s3cret", "it redirects to /login"),
    (302, "ftp://ada:s3cret@h/x", "it redirects to …@h/x"),
    (304, nil, "it redirects without saying where to"),
    (307, nil, "it redirects without saying where to"),
  ])
  func `D2: a redirect says where to`(status: Int, location: String?, message: String) throws {
    #expect(throws: DataServiceError.rejected(status: status, message: message)) {
      try ServerAnswer("", status: status, location: location).checkStatus()
    }
  }
}
