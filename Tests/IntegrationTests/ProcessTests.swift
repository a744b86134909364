import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `postsctl as a process` {
  @Test(
    arguments: [
      ([], "no command"),
      (["fetch-post"], "'fetch-posts'"),
      (["fetch-posts", "--outptu", "json"], "'--output'"),
      (["fetch-posts", "--out", "json"], "'--output'"),
      (["fetch-posts", "--output", "jsn"], "'json'"),
      (["fetch-posts", "--output"], "--output FORMAT"),
      (["fetch-posts", "--timeout", "0"], "0.001"),
      (["fetch-posts", "extra"], "'extra'"),
      (["fetch-posts", "--", "--help"], "'--help'"),
      (["fetch-posts", "--url", "ftp://example.com"], "http"),
      (["fetch-posts", "--url", "example.com"], "http"),
      (["fetch-posts", "--url", "http://"], "--url"),
      (["fetch-posts", "--database="], "--database"),
      (["create-post", "--body", "B"], "--title TEXT"),
      (["create-post", "--title", "T"], "--body TEXT"),
      (["create-post", "--title", "", "--body", "B"], "--title"),
      (["create-post", "--title", " \n ", "--body", "B"], "--title"),
    ])
  func `P4, P7: wrong arguments end with 64, one line of why and one of where to read more`(
    arguments: [String], word: String
  ) async throws {
    try await Postsctl.run { postsctl in
      let result = try await postsctl.run(arguments)

      #expect(result.ending == .exit(64))
      #expect(result.output.isEmpty)
      let lines = result.errorOutput.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.first?.hasPrefix("postsctl: ") == true)
      #expect(lines.first?.contains(word) == true)
      #expect(lines.last?.hasPrefix("See 'postsctl ") == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: postsctl.home).isEmpty)
    }
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["create-post", "--help"], ["--version"], ["nonsense", "-h"],
  ])
  func `P7: help and version work with a broken configuration`(arguments: [String]) async throws {
    try await Postsctl.run(variables: ["HOME": "", "POSTSCTL_URL": "nonsense"]) { postsctl in
      let result = try await postsctl.run(arguments)

      #expect(result.ending == .exit(0))
      #expect(!result.output.isEmpty)
      #expect(result.errorOutput.isEmpty)
    }
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: ["fetch-posts", "fetch-posts --output json", "fetch-users", "--help", "--version"])
  func `P4, P5: a full disk ends with 74 and says so`(command: String) async throws {
    try await Postsctl.run { postsctl in
      let result = try await postsctl.shell("postsctl \(command) > /dev/full")

      #expect(result.ending == .exit(74))
      #expect(
        result.errorOutput.contains(
          "postsctl: cannot write the result: no space is left on the device."))
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `P5: a post that cannot be printed is in the database, and the message says so`()
    async throws
  {
    try await Postsctl.run { postsctl in
      let result = try await postsctl.shell(
        "postsctl create-post --title Kept --body B > /dev/full")
      let posts = try await postsctl.posts()

      #expect(result.ending == .exit(74))
      #expect(result.errorOutput.contains("The post was created, with ID "))
      #expect(posts.components(separatedBy: "\"title\": \"Kept\"").count == 2)
    }
  }

  @Test(arguments: [">&-", "1</dev/null"])
  func `P4, P5: without a standard output nothing is done`(redirection: String) async throws {
    try await Postsctl.run { postsctl in
      let before = try await postsctl.prepareDatabase()

      for command in ["create-post --title Lost --body B", "fetch-posts", "--version"] {
        let result = try await postsctl.shell("postsctl \(command) \(redirection)")

        #expect(result.ending == .exit(74))
        #expect(result.errorOutput.contains("standard output is closed"))
        #expect(result.errorOutput.contains("Nothing was done."))
      }
      #expect(try await postsctl.posts() == before)
    }
  }

  @Test func `P4: without a standard error the exit code still tells, and no file suffers`()
    async throws
  {
    try await Postsctl.run { postsctl in
      let before = try await postsctl.prepareDatabase()
      let wrong = try await postsctl.shell(
        "postsctl create-post --title T --body B --user nobody 2>&- <&-")
      let none = try await postsctl.shell("postsctl nonsense >&- 2>&- <&-")

      #expect(wrong.ending == .exit(64))
      #expect(none.ending == .exit(74))
      #expect(try await postsctl.posts() == before)
    }
  }

  @Test(arguments: ["table", "json"])
  func `P4: a reader who has seen enough ends it quietly by the signal`(
    format: String
  ) async throws {
    try await Postsctl.run { postsctl in
      // More than a pipe holds, or the process would be done before the reader is gone.
      for _ in 0..<4 {
        _ = try await postsctl(
          "create-post", "--title", "T", "--body", String(repeating: "x", count: 100_000))
      }
      let result = try await postsctl.shell(
        "postsctl fetch-posts --output \(format) | head -n 1; echo ${PIPESTATUS[0]} >&2")

      #expect(result.output == (format == "json" ? "[\n" : result.output))
      #expect(result.output.split(separator: "\n").count == 1)
      #expect(result.errorOutput == "\(128 + SIGPIPE)\n")
    }
  }

  @Test func `P4: a reader who has seen enough is no failure where the signal is ignored`()
    async throws
  {
    try await Postsctl.run { postsctl in
      for _ in 0..<4 {
        _ = try await postsctl(
          "create-post", "--title", "T", "--body", String(repeating: "x", count: 100_000))
      }
      let result = try await postsctl.shell(
        "trap '' PIPE; postsctl fetch-posts | head -n 1; echo ${PIPESTATUS[0]} >&2")

      #expect(result.errorOutput == "\(128 + SIGPIPE)\n")
    }
  }

  @Test(arguments: [("SIGINT", SIGINT), ("SIGTERM", SIGTERM), ("SIGHUP", SIGHUP)])
  func `P4: a signal in the middle of a request ends it by that signal`(
    name: String, signal: Int32
  ) async throws {
    // The script is the server too, so it knows when the request is under way.
    let script = """
      import os, signal, socket, subprocess, sys
      listener = socket.create_server(("127.0.0.1", 0))
      listener.settimeout(20)
      url = "http://127.0.0.1:%d" % listener.getsockname()[1]
      child = subprocess.Popen([sys.argv[1], "fetch-posts", "--url", url],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
      try:
          connection, _ = listener.accept()
          connection.recv(1)
          child.send_signal(getattr(signal, sys.argv[2]))
          output, errors = child.communicate(timeout=20)
          print(-child.returncode, output, errors)
      finally:
          child.kill()
      """
    try await Postsctl.run { postsctl in
      let result = try await runProcess(
        "/usr/bin/env", ["python3", "-c", script, Postsctl.path, name],
        environment: postsctl.environment)

      #expect(result.output == "\(signal) b'' b''\n")
      #expect(result.errorOutput.isEmpty)
    }
  }

  @Test func `P4: bytes that are not UTF-8 are refused, and no other post is made of them`()
    async throws
  {
    try await Postsctl.run { postsctl in
      let before = try await postsctl.prepareDatabase()
      let result = try await postsctl.shell(
        #"postsctl create-post --title $'caf\xe9' --body B"#)

      #expect(result.ending == .exit(64))
      #expect(result.output.isEmpty)
      #expect(result.errorOutput.contains("not UTF-8"))
      #expect(try await postsctl.posts() == before)
    }
  }

  #if os(Linux)
    @Test func `P12: the binary does without all of Foundation, and starts the sooner for it`()
      async throws
    {
      let libraries = try await runProcess("/usr/bin/ldd", [Postsctl.path])

      #expect(libraries.ending == .exit(0))
      #expect(libraries.output.contains("libcurl.so"))
      #expect(!libraries.output.contains("libFoundation.so"))
    }
  #endif
}
