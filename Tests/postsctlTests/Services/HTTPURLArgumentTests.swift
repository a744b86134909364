import Services
import Testing

@testable import postsctl

@Suite(.timeLimit(.minutes(5))) struct `URL argument` {
  @Test(
    arguments: [
      ("http://ada@example.com", true), ("https://ada:secret@example.com/", true),
      ("http://:secret@example.com?x", true), ("http://@example.com", true),
      ("http://example.com/@ada", false),
      ("http://example.com?q=@ada", false), ("http://example.com#@ada", false),
    ])
  func `P9: a user name or a password is refused in an argument, and only there`(
    text: String, isRefused: Bool
  ) async {
    let argument = await TestRun("fetch-posts", "--url", text)
    let environment = await TestRun("fetch-posts", environment: ["POSTSCTL_URL": text])

    #expect(argument.ending == .exit(isRefused ? .usage : .ok))
    #expect(environment.ending == .exit(.ok))
    if isRefused {
      #expect(
        argument.errorOutput == """
          postsctl: --url cannot be the value that was given: it has a user name or a password in \
          it, and others on this machine can read arguments; put the URL into the environment \
          variable POSTSCTL_URL instead.
          See 'postsctl fetch-posts --help'.

          """)
    }
  }

  @Test(
    arguments: [
      "", "example.com", "ftp://example.com", "file:///etc/passwd", "http:/example.com", "http://",
      "http://example.com:0", "http://example.com:65536", "http://exa mple.com", "http://[::1",
    ])
  func `P4: what is no http or https URL is refused with the reason`(text: String) async {
    let run = await TestRun("fetch-posts", "--url", text)

    #expect(run.ending == .exit(.usage))
    #expect(run.output.isEmpty)
    #expect(run.opened.isEmpty)
    let value = text.isEmpty ? "an empty value" : "'\(text)'"
    #expect(run.errorOutput.hasPrefix("postsctl: --url cannot be \(value): "))
    #expect(run.errorOutput.contains("A URL looks like https://example.com/api."))
  }

  @Test(arguments: [
    "http://ada:secret@exa mple.com", "http:/ada:secret@h", "ada:secret@h",
    "https://h/a b?token=secret", "htps://h/?secret", "https://h/a b#secret",
  ])
  func `P9: a wrong URL is not repeated if a secret may be in it`(text: String) async {
    let argument = await TestRun("fetch-posts", "--url", text)
    let environment = await TestRun("fetch-posts", environment: ["POSTSCTL_URL": text])

    #expect(argument.ending == .exit(.usage))
    #expect(environment.ending == .exit(.badConfiguration))
    #expect(argument.errorOutput.contains("the value that was given"))
    #expect(environment.errorOutput.contains("POSTSCTL_URL cannot be used: "))
    for message in [argument.errorOutput, environment.errorOutput] {
      #expect(!message.contains("secret"))
    }
  }

  @Test func `P9: a wrong URL in the environment is not repeated at all`() async {
    // The secrets of a web hook stand in its path.
    let run = await TestRun("fetch-posts", environment: ["POSTSCTL_URL": "https://h/hook/s3 cret"])

    #expect(run.ending == .exit(.badConfiguration))
    #expect(!run.errorOutput.contains("s3"))
  }

  @Test func `P9: a password out of the environment appears in no message`() async {
    let run = await TestRun(
      "fetch-posts", environment: ["POSTSCTL_URL": "https://ada:secret@example.com/api?token=t0p"],
      service: FakeDataService.failing(.timedOut(reason: "5 s")))

    #expect(run.errorOutput.contains("https://example.com/api"))
    #expect(!run.errorOutput.contains("secret"))
    #expect(!run.errorOutput.contains("t0p"))
  }
}
