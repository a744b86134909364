import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `postsctl on its own database` {
  @Test func `P1, P2: a post that was created is there for the next process`() async throws {
    try await Postsctl.run { postsctl in
      let created = try await postsctl(
        "create-post", "--title", "Hello", "--body", "First\nwords", "--user", "1", "--output=json")
      let fetched = try await postsctl("fetch-posts", "--output", "json")

      #expect(created.ending == .exit(0))
      #expect(created.errorOutput.isEmpty)
      #expect(fetched.ending == .exit(0))
      let post = try JSONDecoder().decode(Post.self, from: Data(created.standardOutput))
      let posts = try JSONDecoder().decode([Post].self, from: Data(fetched.standardOutput))
      #expect(post.title == "Hello")
      #expect(post.body == "First\nwords")
      #expect(post.userId == 1)
      #expect(posts.last == post)
      #expect(posts.filter { $0.id == post.id }.count == 1)
      #expect(FileManager.default.fileExists(atPath: postsctl.database))
    }
  }

  @Test func `P1: the users of a new database are printed`() async throws {
    try await Postsctl.run { postsctl in
      let users = try await postsctl("fetch-users")

      #expect(users.ending == .exit(0))
      #expect(users.output.hasPrefix("ID  NAME"))
      #expect(users.output.split(separator: "\n").count > 1)
    }
  }

  @Test func `P2: XDG_DATA_HOME and --database choose the file`() async throws {
    try await withTemporaryDirectory { data in
      try await Postsctl.run(variables: ["XDG_DATA_HOME": data]) { postsctl in
        let here = data + "/mine.db"
        let byData = try await postsctl("fetch-posts")
        let byFlag = try await postsctl("fetch-posts", "--database", here)

        #expect(byData.ending == .exit(0))
        #expect(byFlag.ending == .exit(0))
        #expect(FileManager.default.fileExists(atPath: data + "/postsctl/posts.db"))
        #expect(FileManager.default.fileExists(atPath: here))
        #expect(!FileManager.default.fileExists(atPath: postsctl.database))
      }
    }
  }

  @Test func `P3: a table is the same in a pipe and in a file`() async throws {
    try await Postsctl.run { postsctl in
      _ = try await postsctl.prepareDatabase(title: "日本 👨‍👩‍👧", body: "a\nb\u{1B}[2J")
      let file = postsctl.home + "/out"
      let piped = try await postsctl.shell("postsctl fetch-posts | cat")
      _ = try await postsctl.shell("postsctl fetch-posts > \"$1\"", file)

      #expect(piped.output.hasPrefix("ID  USER  TITLE"))
      #expect(piped.output.contains("日本 👨‍👩‍👧"))
      #expect(piped.output.contains("a⏎b␛[2J"))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == piped.output)
    }
  }

  @Test func `P4: a folder is no database`() async throws {
    try await Postsctl.run { postsctl in
      try await expectBadFile(postsctl, path: postsctl.home, saying: ["folder"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: postsctl.home).isEmpty)
    }
  }

  @Test func `P4: a file that is something else is refused and left as it was`() async throws {
    try await Postsctl.run { postsctl in
      let path = postsctl.home + "/notes.txt"
      let content = Data(String(repeating: "not a database\n", count: 1000).utf8)
      try content.write(to: URL(fileURLWithPath: path))

      try await expectBadFile(postsctl, path: path, saying: ["not a SQLite database"])

      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
      #expect(try FileManager.default.contentsOfDirectory(atPath: postsctl.home) == ["notes.txt"])
    }
  }

  @Test func `P4: a path that leads through a file is refused`() async throws {
    try await Postsctl.run { postsctl in
      let file = postsctl.home + "/file"
      try Data("x".utf8).write(to: URL(fileURLWithPath: file))

      try await expectBadFile(postsctl, path: file + "/posts.db", saying: [])

      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("x".utf8))
    }
  }

  @Test(.enabled("needs someone who may not read everything") { try await Nobody.canRunPostsctl })
  func `P4: a file that may not be read is refused and left as it was`() async throws {
    try await Postsctl.run { postsctl in
      let path = postsctl.home + "/posts.db"
      _ = try await postsctl("create-post", "--database", path, "--title", "T", "--body", "B")
      let content = try Data(contentsOf: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o777], ofItemAtPath: postsctl.home)

      for command in [["fetch-posts"], ["create-post", "--title", "U", "--body", "B"]] {
        let result = try await Nobody.run(
          command + ["--database", path], environment: postsctl.environment)

        #expect(result.ending == .exit(66))
        #expect(result.output.isEmpty)
        #expect(result.errorOutput.contains(path))
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    }
  }

  @Test func `P4: without a home the database has to be named`() async throws {
    try await Postsctl.run(variables: ["HOME": ""]) { postsctl in
      let result = try await postsctl("fetch-posts")
      let named = try await postsctl("fetch-posts", "--database", postsctl.home + "/posts.db")

      #expect(result.ending == .exit(78))
      #expect(result.output.isEmpty)
      #expect(result.errorOutput.contains("HOME"))
      #expect(result.errorOutput.contains("--database FILE"))
      #expect(named.ending == .exit(0))
    }
  }

  private func expectBadFile(
    _ postsctl: Postsctl, path: String, saying words: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for command in [
      ["fetch-posts"], ["fetch-users"], ["create-post", "--title", "T", "--body", "B"],
    ] {
      let result = try await postsctl.run(command + ["--database", path])

      #expect(result.ending == .exit(66), sourceLocation: sourceLocation)
      #expect(result.output.isEmpty, sourceLocation: sourceLocation)
      #expect(
        result.errorOutput.hasPrefix("postsctl: cannot "), sourceLocation: sourceLocation)
      for word in words + ["'\(path)'", "--database FILE"] {
        #expect(result.errorOutput.contains(word), sourceLocation: sourceLocation)
      }
    }
  }

  private struct Post: Decodable, Equatable {
    var id: Int
    var userId: Int?
    var title: String
    var body: String
  }
}
