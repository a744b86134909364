import Services
import Testing

@testable import postsctl

@Suite(.timeLimit(.minutes(5))) struct `Service configuration` {
  private static let url = "http://127.0.0.1:8080/api"

  @Test(
    arguments: [
      (["HOME": "/home/ada"], "/home/ada/.local/share/postsctl/posts.db"),
      (["HOME": "/home/ada", "XDG_DATA_HOME": "/data"], "/data/postsctl/posts.db"),
      (["XDG_DATA_HOME": "/data"], "/data/postsctl/posts.db"),
      (["HOME": "/home/ada", "XDG_DATA_HOME": ""], "/home/ada/.local/share/postsctl/posts.db"),
      (["HOME": "/home/ada", "XDG_DATA_HOME": "data"], "/home/ada/.local/share/postsctl/posts.db"),
      (["HOME": "/home/ada", "POSTSCTL_URL": ""], "/home/ada/.local/share/postsctl/posts.db"),
    ])
  func `P2: without configuration it is the database in the data folder`(
    environment: [String: String], path: String
  ) async {
    let run = await TestRun("fetch-posts", environment: environment)

    #expect(run.opened == [.local(path: path, isDefault: true)])
  }

  @Test func `P2: the environment names a server, and a flag beats it`() async throws {
    let environment = ["HOME": "/home/ada", "POSTSCTL_URL": Self.url]
    let byEnvironment = await TestRun("fetch-posts", environment: environment)
    let byURL = await TestRun(
      "fetch-posts", "--url", "https://example.com", environment: environment)
    let byDatabase = await TestRun("fetch-posts", "--database", "a.db", environment: environment)

    #expect(
      byEnvironment.opened == [
        .remote(try .init(argument: Self.url), from: .environment, timeout: nil)
      ])
    #expect(
      byURL.opened == [
        .remote(try .init(argument: "https://example.com"), from: .option, timeout: nil)
      ])
    #expect(byDatabase.opened == [.local(path: "a.db", isDefault: false)])
  }

  @Test func `P13: the time limit reaches the client`() async throws {
    let run = await TestRun("fetch-posts", "--url", Self.url, "--timeout", "2.5")

    #expect(
      run.opened == [
        .remote(try .init(argument: Self.url), from: .option, timeout: .milliseconds(2500))
      ])
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "home"]])
  func `P4: without a home folder the message names the ways out`(
    environment: [String: String]
  ) async {
    let run = await TestRun("fetch-posts", environment: environment)

    #expect(run.ending == .exit(.badConfiguration))
    #expect(run.opened.isEmpty)
    #expect(
      run.errorOutput == """
        postsctl: there is no folder for the database, because the environment variable HOME is \
        not set to an absolute path. Set it, or name a file with --database FILE.

        """)
  }

  @Test func `P4: a wrong URL in the environment is a wrong configuration`() async {
    let run = await TestRun("fetch-posts", environment: ["POSTSCTL_URL": "ftp://h"])

    #expect(run.ending == .exit(.badConfiguration))
    #expect(
      run.errorOutput == """
        postsctl: the environment variable POSTSCTL_URL cannot be used: its scheme is "ftp"; use \
        http or https. A URL looks like https://example.com/api. Correct or unset it, or name the \
        server with --url URL.

        """)
    #expect(run.opened.isEmpty)
  }
}
