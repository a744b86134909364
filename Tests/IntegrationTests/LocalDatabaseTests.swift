import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `postsctl on its own database` {
  @Test func `P1, P2: a post that was created is there for the next process`() async throws {
    try await Postsctl.run { postsctl in
      let created = try await postsctl(
        "create-post", "--title", "Hello", "--body", "First\nwords", "--user", "1", "--output=json")
      let fetched = try await postsctl("fetch-posts", "--output", "json")

      #expect(created.ending == .exit(0))
      #expect(
        created.errorOutput == "postsctl: created \(postsctl.database) with sample data\n")
      #expect(fetched.errorOutput.isEmpty)
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
        #expect(
          byData.errorOutput.hasSuffix("created \(data)/postsctl/posts.db with sample data\n"))
        #expect(byFlag.errorOutput == "postsctl: created \(here) with sample data\n")
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

  @Test func `P4: a named database in a folder that is not there is a mistake, and makes nothing`()
    async throws
  {
    try await Postsctl.run { postsctl in
      let folder = postsctl.home + "/typo"

      try await expectBadFile(
        postsctl, path: folder + "/posts.db",
        saying: ["there is no folder \(folder). Correct the path, or make that folder."])

      #expect(try FileManager.default.contentsOfDirectory(atPath: postsctl.home).isEmpty)
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

      try await expectBadFile(postsctl, path: file + "/posts.db", saying: ["\(file) is no folder."])

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

  #if os(Linux)
    /// Runs a line of bash on a disk of 128 KiB, of which only that process knows.
    private static func onSmallDisk(_ line: String, _ arguments: String...) async throws
      -> ProcessResult
    {
      try await withTemporaryDirectory { disk in
        try await runProcess(
          "/usr/bin/env",
          [
            "unshare", "-rm", "/bin/bash", "-c",
            "mount -t tmpfs -o size=128k tmpfs \"$1\" && cd \"$1\" || exit 99; shift; \(line)",
            "bash", disk,
          ] + arguments,
          environment: ["HOME": disk, "PATH": "/usr/bin:/bin"])
      }
    }

    private static var hasSmallDisk: Bool {
      get async throws { try await onSmallDisk("true").exitCode == 0 }
    }

    @Test(.enabled("needs a mount namespace") { try await hasSmallDisk })
    func `P4: a full disk under the database ends with 74, and no post is half stored`()
      async throws
    {
      // Given a database, and a post that is larger than what is left of its disk
      let result = try await Self.onSmallDisk(
        """
        "$1" fetch-posts --database posts.db > before 2>/dev/null || exit 98
        "$1" create-post --database posts.db --title Large --body "$2"
        echo $?
        "$1" fetch-posts --database posts.db > after || exit 97
        cmp before after && echo same
        "$1" create-post --database posts.db --title Small --body B --output json | head -n 3
        """, Postsctl.path, String(repeating: "x", count: 120_000))

      // Then nothing of it is there, and a smaller one finds its place
      #expect(result.output == "74\nsame\n{\n  \"body\": \"B\",\n  \"id\": 4,\n")
      #expect(
        result.errorOutput.hasPrefix(
          "postsctl: cannot create the post: the database 'posts.db' cannot be read or written: "))
      #expect(!result.errorOutput.contains("may be stored"))
    }
  #endif

  @Test(
    .disabled(if: isThreadSanitized, "the thread sanitizer itself needs larger files"))
  func `P4: a database that the system does not let grow ends with 74, and stays sound`()
    async throws
  {
    try await Postsctl.run { postsctl in
      // Given a limit on the size of files, in blocks of 1 KiB, that is no more than an error
      let before = try await postsctl.prepareDatabase()
      let result = try await postsctl.shell(
        "trap '' XFSZ; ulimit -f 64; postsctl create-post --title T --body \"$1\"",
        String(repeating: "x", count: 120_000))

      #expect(result.ending == .exit(74))
      #expect(result.output.isEmpty)
      #expect(result.errorOutput.contains("cannot be read or written: reading or writing failed ("))
      #expect(!result.errorOutput.contains("may be stored"))
      #expect(try await postsctl.posts() == before)
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
      for word in words + ["'\(path)'"] {
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
