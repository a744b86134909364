import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
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

  @Test func `P1, P2: a post that was created on a server is there for the next process`()
    async throws
  {
    try await withTemporaryDirectory { data in
      // Given a server with one user and one post, which may as well be those of a real one
      for (name, json) in [
        ("some-users.json", #"[{"id": 7, "name": "Ada"}]"#),
        ("some-posts.json", #"[{"id": 7, "userId": 7, "title": "First", "body": ""}]"#),
      ] {
        try Data(json.utf8).write(to: URL(fileURLWithPath: data + "/" + name))
      }
      try await PythonServer.run("posts_server", ["--until-eof", "--data", data]) { server in
        try await Postsctl.run(variables: ["POSTSCTL_URL": server.baseURL]) { postsctl in
          // When a post is created
          let created = try await postsctl("create-post", "--title", "Hello", "--body", "Words")

          // Then its line is the last of the server's posts, and nothing else has come to them
          let line = try #require(created.output.split(separator: "\n").last)
          let posts = try await postsctl("fetch-posts").output.split(separator: "\n")
          #expect(posts.count == 3)
          #expect(posts.last?.split(separator: " ") == line.split(separator: " "))
          #expect(line.hasPrefix("8 "))
          let users = try await postsctl("fetch-users").output.split(separator: "\n")
          #expect(users.count == 2)
          #expect(users.last?.hasPrefix("7   Ada") == true)
        }
      }
    }
  }

  @Test(
    arguments: [
      Fault(name: "404", exitCode: 4, words: ["status 404", "Is its path right?"]),
      Fault(name: "500", exitCode: 5, words: ["status 500", "the mill has stopped"]),
      Fault(
        name: "html", exitCode: 65, words: ["web page"], silence: ["<html", "DOCTYPE", "network"]),
      Fault(name: "cut", exitCode: 65, words: ["cut off"]),
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
          for word in fault.silence { #expect(!result.errorOutput.contains(word)) }
          #expect(!command.contains("create-post") || !result.errorOutput.contains("again later"))
        }
      }
    }
  }

  @Test func `P4: a server that is down cannot be reached`() async throws {
    // The port was just free, and no one else is given it so soon.
    let port = try await PythonServer.run("posts_server", ["--until-eof"]) { $0.port }
    let place = "127.0.0.1:\(port)"
    try await Postsctl.run { postsctl in
      let before = try await postsctl.prepareDatabase()
      let result = try await postsctl("fetch-posts", "--url", "http://\(place)")

      #expect(result.ending == .exit(69))
      #expect(result.output.isEmpty)
      #expect(
        result.errorOutput.hasPrefix(
          "postsctl: cannot fetch the posts: no connection to \(place) (libcurl error 7: "))
      #expect(
        result.errorOutput.hasSuffix(
          "). Is a server running there, on that port? The URL comes from --url.\n"))
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
          #expect(result.errorOutput.contains("no answer after 0.3 seconds. "))
        }
        #expect(created.errorOutput.contains("The post may be stored all the same"))
        #expect(!fetched.errorOutput.contains("may be stored"))
        #expect(fetched.errorOutput.contains("--timeout SECONDS"))
      }
    }
  }

  @Test func `P5: a URL that goes one word too far says which`() async throws {
    try await PythonServer.run("posts_server", ["--until-eof"]) { server in
      try await Postsctl.run { postsctl in
        let result = try await postsctl("fetch-posts", "--url", server.baseURL + "/posts")

        #expect(result.ending == .exit(4))
        #expect(result.errorOutput.contains("Leave off /posts: it is added to the URL."))
      }
    }
  }

  @Test func `P10: a post that was answered with a redirect is stored, and is not sent twice`()
    async throws
  {
    try await PythonServer.run("posts_server", ["--until-eof", "--see-other"]) { server in
      try await Postsctl.run(variables: ["POSTSCTL_URL": server.baseURL]) { postsctl in
        // Given a server that stores a post and says where it is
        let created = try await postsctl("create-post", "--title", "Once", "--body", "B")

        // Then the message says that it may be there, and it is
        #expect(created.ending == .exit(6))
        #expect(created.output.isEmpty)
        #expect(
          created.errorOutput.contains("status 303: it redirects to \(server.baseURL)/posts/"))
        #expect(created.errorOutput.contains("The post may be stored all the same: look with"))
        #expect(try await postsctl.posts().components(separatedBy: "\"Once\"").count == 2)
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
    var silence: [String] = []
    var testDescription: String { name }
  }
}
