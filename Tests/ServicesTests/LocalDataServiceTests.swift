import Foundation
import TestSupport
import Testing

@testable import Services

@Suite(.timeLimit(.minutes(5)))
struct LocalDataServiceTests {
  @Test func `D4: a new file begins with three users and a post by each`() async throws {
    try await withTemporaryDirectory { folder in
      // Given a path whose folders are not there yet
      let service = try LocalDataService(path: folder + "/a/b/posts.sqlite")

      // When its content is fetched
      let users = try await service.fetchUsers()
      let posts = try await service.fetchPosts()

      // Then it is what a first user needs to see something
      #expect(users.map(\.id) == [1, 2, 3])
      #expect(users.map(\.name) == ["Ada Brook", "Jürgen Müller", "水野 葵"])
      #expect(users[1].firstName == "Jürgen" && users[1].lastName == "Müller")
      #expect(users[2].phone == nil && users[2].website == nil)
      #expect(posts.map(\.id) == [1, 2, 3])
      #expect(posts.map(\.userID) == [1, 2, 3])
      #expect(posts.allSatisfy { $0.body.contains("\n") })
    }
  }

  @Test func `D4: an empty file is used as a new one`() async throws {
    try await withTemporaryDirectory { folder in
      try write([], to: folder + "/posts.sqlite")
      let service = try LocalDataService(path: folder + "/posts.sqlite")
      #expect(try await service.fetchPosts().count == 3)
    }
  }

  @Test func `D4: a link to a file is followed, also one to a file that is not there yet`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      let link = folder + "/link"
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: folder + "/posts.sqlite")
      for _ in 1...2 { _ = try LocalDataService(path: link) }
      #expect(exists(folder + "/posts.sqlite"))
    }
  }

  @Test func `D4: what was created is there when the file is opened again`() async throws {
    try await withTemporaryDirectory { folder in
      // Given a post that was acknowledged
      let path = folder + "/posts.sqlite"
      let created = try await LocalDataService(path: path).createPost(
        PostDraft(userID: 2, title: "Kept", body: "One\nTwo"))

      // When the file is opened again
      let posts = try await LocalDataService(path: path).fetchPosts()

      // Then the post is as it was, and nothing was filled in twice
      #expect(created == Post(id: 4, userID: 2, title: "Kept", body: "One\nTwo"))
      #expect(posts.count == 4)
      #expect(posts.last == created)
    }
  }

  /// Text that has gone wrong on its way into some database before, and what it is.
  private static let unusualTexts = [
    "a zero byte": "a\0b",
    "only a zero byte": "\0",
    "SQL": "'); DROP TABLE posts; --",
    "placeholders": "?1 :a @b $c",
    "composed and decomposed": "👩‍👩‍👧 e\u{301} é",
    "a byte order mark": "\u{FEFF}x",
    "control characters": "\r\n\t\u{1B}[31m",
    "a megabyte": String(repeating: "long ", count: 200_000),
  ]

  @Test(arguments: unusualTexts.keys.sorted())
  func `D4: text comes back as it went in`(kind: String) async throws {
    let text = try #require(Self.unusualTexts[kind])
    try await withTemporaryDirectory { folder in
      // Given a post with unusual text
      let path = folder + "/posts.sqlite"
      let draft = PostDraft(userID: nil, title: "t" + text, body: text)
      let created = try await LocalDataService(path: path).createPost(draft)

      // When it is read by another connection
      let read = try await LocalDataService(path: path).fetchPosts().last

      // Then every byte is the same: == would take é and e with an accent for equal
      #expect(created.userID == nil)
      #expect(read?.userID == nil)
      #expect(read.map { Array($0.title.utf8) } == Array(draft.title.utf8))
      #expect(read.map { Array($0.body.utf8) } == Array(draft.body.utf8))
    }
  }

  @Test(arguments: ["", " ", "\n\t ", "\u{3000}"])
  func `D4: a blank title is refused and nothing is stored`(title: String) async throws {
    try await withTemporaryDirectory { folder in
      let service = try LocalDataService(path: folder + "/posts.sqlite")
      await #expect(
        throws: DataServiceError.invalidRequest(
          reason: "the post has no title. Give it a title that is not blank.")
      ) { try await service.createPost(PostDraft(userID: 1, title: title, body: "b")) }
      #expect(try await service.fetchPosts().count == 3)
    }
  }

  @Test(arguments: [RecordID.number(99), .number(-1), .text("ada"), .text("1")])
  func `D4: a post by an unknown user is refused and names the users`(
    userID: RecordID
  ) async throws {
    try await withTemporaryDirectory { folder in
      let service = try LocalDataService(path: folder + "/posts.sqlite")
      await #expect(
        throws: DataServiceError.invalidRequest(
          reason: "there is no user \(userID). The users are 1, 2, 3.")
      ) { try await service.createPost(PostDraft(userID: userID, title: "t", body: "")) }
      #expect(try await service.fetchPosts().count == 3)
    }
  }

  @Test func `D4: an identity is never given twice, also after the newest post is gone`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      // Given a file whose newest post somebody deleted
      let path = folder + "/posts.sqlite"
      let service = try LocalDataService(path: path)
      let first = try await service.createPost(PostDraft(title: "first", body: ""))
      try SQLiteConnection(path: path, access: .readWrite, busyTimeout: 1000)
        .execute("DELETE FROM posts WHERE id = 4")

      // When another is created, then it gets an identity of its own
      let second = try await service.createPost(PostDraft(title: "second", body: ""))
      #expect(first.id == 4 && second.id == 5)
    }
  }

  @Test func `D4: the file is as durable as SQLite makes it`() async throws {
    try await withTemporaryDirectory { folder in
      let connection = try LocalDatabaseOpening(path: folder + "/posts.sqlite").open().connection
      #expect(try read("PRAGMA journal_mode", connection) == "wal")
      #expect(try read("PRAGMA synchronous", connection) == "2")
      #expect(try read("PRAGMA foreign_keys", connection) == "1")
      #expect(try read("PRAGMA application_id", connection) == "\(0x4D4C_5243)")
      #expect(try read("PRAGMA user_version", connection) == "1")
    }
  }

  @Test func `D4: when there is no space, nothing is stored and the file stays sound`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      // Given a file that cannot grow by much
      let path = folder + "/posts.sqlite"
      let service = try LocalDataService(
        LocalDatabaseOpening(path: path, maximumPageCount: 12))

      // When a post is too large for it
      let large = PostDraft(title: "large", body: String(repeating: "x", count: 100_000))
      await #expect(
        throws: DataServiceError.diskFailure(
          path: path,
          reason: "there is no space left for it, and nothing was stored. "
            + "Free some space and try again.")
      ) { try await service.createPost(large) }

      // Then nothing of it is there, also for another process, and a small post still fits
      let other = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: 1000)
      #expect(try read("SELECT count(*) FROM posts", other) == "3")
      #expect(try read("PRAGMA integrity_check", other) == "ok")
      #expect(try await service.fetchPosts().count == 3)
      let small = try await service.createPost(PostDraft(title: "small", body: ""))
      #expect(small.id == 4)
      #expect(try await LocalDataService(path: path).fetchPosts().map(\.title).last == "small")
    }
  }

  @Test(arguments: 1...3)
  func `D4: when there is no space for a new file, none of it is filled`(
    pages: Int
  ) async throws {
    try await withTemporaryDirectory { folder in
      // Given space for some of the four pages that a new file has
      let path = folder + "/posts.sqlite"
      let error = #expect(throws: DataServiceError.self) {
        try LocalDataService(LocalDatabaseOpening(path: path, maximumPageCount: pages))
      }
      guard case .diskFailure(path, _, isOutcomeOpen: false) = error else {
        Issue.record("not a failure of the disk: \(String(describing: error))")
        return
      }

      // When there is space, then the file begins as every other
      let service = try LocalDataService(path: path)
      #expect(service.isNew)
      #expect(try await service.fetchPosts().count == 3)
    }
  }

  @Test func `D4: a file is new once`() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/posts.sqlite"
      let first = try LocalDataService(path: path)
      let second = try LocalDataService(path: path)

      #expect(first.isNew)
      #expect(!second.isNew)
    }
  }

  @Test func `D4: a path that means something else to SQLite is only a file name`() async throws {
    try await withTemporaryDirectory { folder in
      // Given a process in that folder, so that the names can stand alone
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        try #require(FileManager.default.changeCurrentDirectoryPath(folder))
        for name in [":memory:", "file:x?mode=memory", "a b%20c#d", "new/posts.sqlite"] {
          // When each is opened twice
          _ = try await LocalDataService(path: name).createPost(PostDraft(title: "t", body: ""))
          let posts = try await LocalDataService(path: name).fetchPosts()
          #expect(posts.count == 4)
        }
      }
      // Then each is a file
      let files = try names(in: folder).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
      #expect(files == [":memory:", "a b%20c#d", "file:x?mode=memory", "new"])
      #expect(exists(folder + "/new/posts.sqlite"))
    }
  }
}
