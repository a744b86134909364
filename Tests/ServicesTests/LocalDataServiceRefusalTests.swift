import Foundation
import TestSupport
import Testing

@testable import Services

@Suite(.timeLimit(.minutes(5)))
struct LocalDataServiceRefusalTests {
  /// What may stand in a file that is no database, and what it is.
  private static let otherContents = [
    "text": String(repeating: "A letter to somebody. ", count: 10),
    "a short text": "short",
    "the first bytes of a database": "SQLite format 3\0",
    "zeros": String(repeating: "\0", count: 4096),
  ]

  @Test(arguments: otherContents.keys.sorted())
  func `D4: a file that is no database is refused and left untouched`(
    kind: String
  ) async throws {
    try await withTemporaryDirectory { folder in
      let content = Array(try #require(Self.otherContents[kind]).utf8)
      let path = folder + "/notes.txt"
      try write(content, to: path)

      try expectRefusal(
        of: path,
        "it is not a SQLite database. Choose another file, or move this one away.")

      #expect(try bytes(of: path) == content)
      #expect(try names(in: folder) == ["notes.txt"])
    }
  }

  @Test(arguments: ["delete", "wal"])
  func `D4: another program's database is refused and left untouched`(
    journal: String
  ) async throws {
    try await withTemporaryDirectory { folder in
      // Given the database of somebody else, with its log when it has one
      let path = folder + "/other.sqlite"
      let other = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: 1000)
      try other.execute(
        "PRAGMA journal_mode = \(journal); CREATE TABLE posts (x); INSERT INTO posts VALUES (7);")
      let before = try snapshot(folder)

      // When it is opened by mistake
      try expectRefusal(of: path, "it is the database of another program. Choose another file.")

      // Then no file was changed and none was added
      #expect(try snapshot(folder) == before)
      #expect(try read("SELECT x FROM posts", other) == "7")
    }
  }

  @Test func `D4: a newer file is refused and left untouched`() async throws {
    try await withTemporaryDirectory { folder in
      // Given a file that a later version has brought to its own layout
      let path = folder + "/posts.sqlite"
      _ = try LocalDataService(path: path)
      try SQLiteConnection(path: path, access: .readWrite, busyTimeout: 1000)
        .execute("PRAGMA user_version = 2")
      let before = try bytes(of: path)

      // When this version opens it
      try expectRefusal(
        of: path,
        "it was written by a newer version (layout 2; this version knows up to 1). "
          + "Update this program, or choose another file.")

      // Then it is as it was
      #expect(try bytes(of: path) == before)
      #expect(try names(in: folder) == ["posts.sqlite"])
    }
  }

  @Test func `D4: a newer file is refused also while its newness is only in the log`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      // Given a newer program that still runs, so that its changes are in the log
      let path = folder + "/posts.sqlite"
      _ = try LocalDataService(path: path)
      let newer = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: 1000)
      try newer.execute("PRAGMA user_version = 2; CREATE TABLE tags (name TEXT);")
      // And a copy of both files, as if the program had been killed
      let copy = folder + "/copy.sqlite"
      try write(bytes(of: path), to: copy)
      try write(bytes(of: path + "-wal"), to: copy + "-wal")
      let before = (try bytes(of: copy), try bytes(of: copy + "-wal"))

      // When this version opens it, then it is refused, and the log was not moved into the file
      try expectRefusal(
        of: copy,
        "it was written by a newer version (layout 2; this version knows up to 1). "
          + "Update this program, or choose another file.")
      #expect(try bytes(of: copy) == before.0)
      #expect(try bytes(of: copy + "-wal") == before.1)
    }
  }

  @Test func `D4: a damaged file is refused and left untouched`() async throws {
    try await withTemporaryDirectory { folder in
      // Given a file with many pages, one of which was overwritten
      let path = folder + "/posts.sqlite"
      try fill(path)
      var content = try bytes(of: path)
      let page = content.count / 4096 / 2 * 4096
      content.replaceSubrange(page..<page + 4096, with: repeatElement(0xA5, count: 4096))
      try write(content, to: path)

      // When it is opened, then it is refused before anything is written
      let reason = try #require(try refusal(of: path))
      #expect(reason.hasPrefix("it is damaged ("), "\(reason)")
      #expect(
        reason.hasSuffix("Restore it from a copy, or move it away to begin a new one."), "\(reason)"
      )
      #expect(try bytes(of: path) == content)
    }
  }

  @Test func `D4: a file that was cut short is refused and left untouched`() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/posts.sqlite"
      _ = try LocalDataService(path: path)
      let content = Array(try bytes(of: path).prefix(4096 + 100))
      try write(content, to: path)

      let reason = try #require(try refusal(of: path))
      #expect(reason.hasPrefix("it is damaged ("), "\(reason)")
      #expect(try bytes(of: path) == content)
    }
  }

  @Test func `D4: a folder is refused`() async throws {
    try await withTemporaryDirectory { folder in
      try expectRefusal(of: folder, "it is a folder. Name a file, perhaps one inside it.")
      #expect(try names(in: folder) == [])
    }
  }

  @Test(arguments: ["/dev/null", "/dev/full"])
  func `D4: a device is refused`(path: String) throws {
    try expectRefusal(
      of: path, "it is a device, a pipe or a socket. Name an ordinary file.")
  }

  @Test func `D4: a pipe is refused without waiting for its other end`() async throws {
    try await withTemporaryDirectory { folder in
      #expect(try await runProcess("/usr/bin/env", ["mkfifo", folder + "/pipe"]).exitCode == 0)
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: folder + "/pipe")
      for path in [folder + "/pipe", folder + "/link"] {
        try expectRefusal(
          of: path, "it is a device, a pipe or a socket. Name an ordinary file.")
      }
    }
  }

  @Test func `D4: a path that cannot be one is refused`() throws {
    try expectRefusal(of: "", "the path is empty. Name a file.")
    try expectRefusal(of: "a\0b", "the path has a zero byte in it. Name a file.")
  }

  @Test func `D4: a path through a file is refused and names the folder`() async throws {
    try await withTemporaryDirectory { folder in
      try write([1], to: folder + "/file")
      try expectRefusal(
        of: folder + "/file/posts.sqlite",
        "its folder \(folder)/file cannot be made. Check that every part of the path before the "
          + "file is a folder that you may write to.")
    }
  }

  @Test func `D4: a new file in a folder that is not there is refused where folders are not made`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      try write([1], to: folder + "/file")
      for (path, reason) in [
        (
          "/a/b/posts.sqlite",
          "there is no folder \(folder)/a/b. Correct the path, or make that folder."
        ),
        ("/file/posts.sqlite", "\(folder)/file is no folder. Correct the path."),
      ] {
        #expect(throws: DataServiceError.storage(path: folder + path, reason: reason)) {
          try LocalDataService(path: folder + path, makesFolders: false)
        }
      }
      #expect(try names(in: folder) == ["file"])

      // And a folder that is there gets its file
      let service = try LocalDataService(path: folder + "/posts.sqlite", makesFolders: false)
      #expect(service.isNew)
    }
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func `D4: a file that may not be read or written is refused`() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/posts.sqlite"
      _ = try LocalDataService(path: path)
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
      let unreadable = try #require(try refusal(of: path))
      #expect(unreadable.contains("Check that its folder exists"), "\(unreadable)")

      try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
      try expectRefusal(
        of: path, "it is write-protected. Permit writing to it, or choose another file.")
    }
  }

  /// Makes a file with posts of about a page each, and closes it before this returns.
  private func fill(_ path: String) throws {
    let connection = try LocalDatabaseOpening(path: path).open().connection
    for number in 1...20 {
      try connection.run(
        "INSERT INTO posts (title, body) VALUES (?, ?)",
        [.text("\(number)"), .text(String(repeating: "x", count: 3000))])
    }
  }

  private func refusal(of path: String) throws -> String? {
    let error = #expect(throws: DataServiceError.self) { try LocalDataService(path: path) }
    guard case .storage(let refused, let reason) = error else {
      Issue.record("not a storage error: \(String(describing: error))")
      return nil
    }
    #expect(refused == path)
    return reason
  }

  private func expectRefusal(
    of path: String, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try refusal(of: path) == reason, sourceLocation: sourceLocation)
  }

  /// The bytes of every file in a folder, by name.
  private func snapshot(_ folder: String) throws -> [String: [UInt8]] {
    try names(in: folder).reduce(into: [:]) { $0[$1] = try bytes(of: folder + "/" + $1) }
  }
}
