import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `postsctl on a server` {
  @Test func `P1, P2: --url fetches the server's users and posts`() async throws {
    try await PythonServer.run("posts_server", ["--until-eof"]) { server in
      try await Postsctl.run { postsctl in
        let users = try await postsctl("fetch-users", "--url", server.baseURL)
        let posts = try await postsctl("fetch-posts", "--url", server.baseURL + "/")

        #expect(users.ending == .exit(0))
        #expect(users.output.hasPrefix("ID  NAME"))
        #expect(users.output.split(separator: "\n").count > 1)
        #expect(posts.ending == .exit(0))
        #expect(posts.output.hasPrefix("ID"))
        #expect(posts.output.split(separator: "\n").count > 1)
        #expect(users.errorOutput + posts.errorOutput == "")
        #expect(!FileManager.default.fileExists(atPath: postsctl.database))
      }
    }
  }

  @Test func `P1: create-post prints the post with the server's ID`() async throws {
    try await PythonServer.run("posts_server", ["--until-eof"]) { server in
      try await Postsctl.run(variables: ["POSTSCTL_URL": server.baseURL]) { postsctl in
        let created = try await postsctl(
          "create-post", "--title", "Hello", "--body", "Words", "--user", "1", "--output", "json")

        #expect(created.ending == .exit(0))
        #expect(created.errorOutput.isEmpty)
        let object =
          try JSONSerialization.jsonObject(with: Data(created.standardOutput)) as? [String: Any]
        #expect(object?["title"] as? String == "Hello")
        #expect(object?["body"] as? String == "Words")
        #expect(object?["userId"] as? Int == 1)
        #expect(object?["id"] != nil)
      }
    }
  }

  @Test(
    arguments: [
      Fault(name: "404", exitCode: 4, words: ["status 404", "path of the URL"]),
      Fault(name: "500", exitCode: 5, words: ["status 500", "try again later"]),
      Fault(name: "html", exitCode: 65, words: ["html", "Check that the URL"]),
      Fault(name: "cut", exitCode: 65, words: ["Check that the URL"]),
      Fault(name: "truncated", exitCode: 65, words: ["cut short"]),
      Fault(name: "redirect", exitCode: 6, words: ["status 302", "/moved/"]),
      Fault(name: "wrong-types", exitCode: 65, words: ["expected"]),
      Fault(name: "empty", exitCode: 65, words: ["empty"]),
      Fault(name: "unauthorized", exitCode: 77, words: ["status 401", "POSTSCTL_URL"]),
    ])
  func `P4, P5: a server's fault has its exit code, is explained, and prints nothing`(
    fault: Fault
  ) async throws {
    try await PythonServer.run("posts_server", ["--until-eof", "--fault", fault.name]) { server in
      try await Postsctl.run { postsctl in
        for command in [
          ["fetch-posts"], ["fetch-users"], ["fetch-posts", "--output", "json"],
          ["create-post", "--title", "T", "--body", "B"],
        ] {
          let result = try await postsctl.run(command + ["--url", server.baseURL])

          #expect(result.ending == .exit(fault.exitCode), "\(command): \(result.errorOutput)")
          #expect(result.output.isEmpty)
          #expect(result.errorOutput.split(separator: "\n").count == 1)
          for word in fault.words + [server.baseURL, "postsctl: cannot "] {
            #expect(result.errorOutput.contains(word), "\(command): \(result.errorOutput)")
          }
        }
      }
    }
  }

  @Test func `P4: a server that is down cannot be reached`() async throws {
    // The port was just free, and no one else is given it so soon.
    let url = try await PythonServer.run("posts_server", ["--until-eof"]) { $0.baseURL }
    try await Postsctl.run { postsctl in
      let before = try await postsctl.prepareDatabase()
      let result = try await postsctl("fetch-posts", "--url", url)

      #expect(result.ending == .exit(69))
      #expect(result.output.isEmpty)
      #expect(result.errorOutput.contains("\(url)/ cannot be reached"))
      #expect(result.errorOutput.contains("--url or POSTSCTL_URL"))
      #expect(try await postsctl.posts() == before)
    }
  }

  @Test func `P4: a server that is slow runs into the time limit`() async throws {
    try await PythonServer.run("posts_server", ["--until-eof", "--fault", "slow"]) { server in
      try await Postsctl.run { postsctl in
        let fetched = try await postsctl(
          "fetch-posts", "--url", server.baseURL, "--timeout", "0.3")
        let created = try await postsctl(
          "create-post", "--title", "T", "--body", "B", "--url", server.baseURL,
          "--timeout=0.3")

        for result in [fetched, created] {
          #expect(result.ending == .exit(2))
          #expect(result.output.isEmpty)
          #expect(result.errorOutput.contains("did not answer in time"))
          #expect(result.errorOutput.contains("--timeout SECONDS"))
        }
        #expect(created.errorOutput.contains("The server may have carried it out"))
        #expect(!fetched.errorOutput.contains("may have carried it out"))
      }
    }
  }

  @Test func `P9: a password in an argument is refused and shown nowhere`() async throws {
    try await Postsctl.run { postsctl in
      let result = try await postsctl("fetch-posts", "--url", "http://ada:secret@127.0.0.1:1/")

      #expect(result.ending == .exit(64))
      #expect(result.output.isEmpty)
      #expect(!result.errorOutput.contains("secret"))
      #expect(result.errorOutput.contains("POSTSCTL_URL"))
    }
  }

  /// What a server does wrong, and what is to come of it.
  struct Fault: CustomTestStringConvertible {
    let name: String
    let exitCode: Int32
    let words: [String]
    var testDescription: String { name }
  }
}
