import Foundation
import TestSupport
import Testing

@testable import Services

@Suite(.timeLimit(.minutes(5)))
struct LocalDataServiceSharingTests {
  @Test func `D4: many may be the first to open a file, which is filled once`() async throws {
    for _ in 1...10 {
      try await withTemporaryDirectory { folder in
        // When eight threads meet at a file that is not there
        let path = folder + "/new/posts.sqlite"
        let results = Recorder<Result<LocalDataService, DataServiceError>>()
        let start = DispatchSemaphore(value: 0)
        for _ in 1...8 {
          Thread {
            start.wait()
            results.record(
              Result { () throws(DataServiceError) in try LocalDataService(path: path) })
          }.start()
        }
        for _ in 1...8 { start.signal() }

        // Then each gets in and sees the same beginning, which one of them made
        var beginners = 0
        for result in await results.waitForCount(8) {
          let service = try result.get()
          let posts = try await service.fetchPosts()
          #expect(posts.count == 3)
          if service.isNew { beginners += 1 }
        }
        #expect(beginners == 1)
      }
    }
  }

  @Test func `D4: who comes second leaves the first one's tables alone`() async throws {
    try await withTemporaryDirectory { folder in
      // Given a file that was still empty when it was looked at, and is not any more
      let opening = LocalDatabaseOpening(path: folder + "/posts.sqlite")
      let first = try LocalDataService(opening)
      _ = try await first.createPost(PostDraft(title: "t", body: ""))

      // When the one who looked goes on
      let second = try SQLiteConnection(path: opening.path, access: .readWrite, busyTimeout: 1000)
      #expect(try !opening.fillOnce(second))

      // Then nothing happened, and nothing is locked
      #expect(try await first.createPost(PostDraft(title: "u", body: "")).id == 5)
      #expect(try await first.fetchUsers().count == 3)
    }
  }

  @Test func `D4: turning the log on waits for a writer that is in the way`() async throws {
    // SQLite does not wait here by itself. Without a wait of ours nearly every round would fail:
    // the writer is only told to go when the change begins.
    for _ in 1...20 {
      try await withTemporaryDirectory { folder in
        // Given a new file, without its log yet, that another connection is writing to
        let opening = LocalDatabaseOpening(path: folder + "/posts.sqlite")
        let connection = try SQLiteConnection(
          path: opening.path, access: .readWrite, busyTimeout: opening.busyTimeout)
        #expect(try opening.fillOnce(connection))
        let writes = Gate()
        let end = DispatchSemaphore(value: 0)
        Thread {
          let writer = try? SQLiteConnection(
            path: opening.path, access: .readWrite, busyTimeout: 1000)
          try? writer?.execute("BEGIN IMMEDIATE")
          writes.open()
          end.wait()
          try? writer?.execute("COMMIT")
        }.start()
        await writes.wait()

        // When the log is turned on, then it is
        end.signal()
        try opening.useWriteAheadLog(connection)
        let mode = try read("PRAGMA journal_mode", connection)
        #expect(mode == "wal")
      }
    }
  }

  @Test func `D4: another program's new database is left alone`() async throws {
    try await withTemporaryDirectory { folder in
      // Given a file that somebody else filled just after it was found empty
      let opening = LocalDatabaseOpening(path: folder + "/posts.sqlite")
      let other = try SQLiteConnection(path: opening.path, access: .readWrite, busyTimeout: 1000)
      try other.execute("CREATE TABLE notes (text)")
      let before = try bytes(of: opening.path)

      // When it is laid out, then it is refused and as it was
      let ours = try SQLiteConnection(path: opening.path, access: .readWrite, busyTimeout: 1000)
      #expect(
        throws: DataServiceError.storage(
          path: opening.path,
          reason: "it is the database of another program. Choose another file.")
      ) { try opening.layOut(ours) }
      #expect(try bytes(of: opening.path) == before)
    }
  }

  @Test func `D4: processes that use one file at once lose nothing`() async throws {
    try await withTemporaryDirectory { folder in
      // When three processes are the first to open a file, and each stores posts
      let path = folder + "/posts.sqlite"
      try await withThrowingTaskGroup { group in
        for _ in 1...3 {
          group.addTask {
            await #expect(processExitsWith: .success) { [path = path as String] in
              let service = try LocalDataService(path: path)
              for number in 1...20 {
                _ = try await service.createPost(
                  PostDraft(userID: 1, title: "by \(getpid())", body: "\(number)"))
              }
            }
          }
        }
        try await group.waitForAll()
      }

      // Then all are there, each writer's in its order
      let posts = try await LocalDataService(path: path).fetchPosts().dropFirst(3)
      #expect(posts.count == 60)
      let writers = Dictionary(grouping: posts, by: \.title)
      #expect(writers.count == 3)
      for posts in writers.values { #expect(posts.map(\.body) == (1...20).map(String.init)) }
    }
  }

  @Test(arguments: [1, 7, 23])
  func `D4: what was acknowledged survives kill -9`(acknowledged: Int) async throws {
    try await withTemporaryDirectory { folder in
      // Given a process that stores posts as fast as it can, writes down each one that it was
      // promised, and is killed by another of its threads while it is at it
      let path = folder + "/posts.sqlite"
      let promises = folder + "/promises"
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, promises = promises as String, acknowledged = acknowledged as Int]
        in
        let service = try LocalDataService(path: path)
        try Data().write(to: URL(fileURLWithPath: promises))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: promises))
        let enough = DispatchSemaphore(value: 0)
        Thread {
          enough.wait()
          kill(getpid(), SIGKILL)
        }.start()
        for number in 1...100_000 {
          let post = try await service.createPost(
            PostDraft(userID: 1, title: "\(number)", body: String(repeating: "x", count: 500)))
          try file.write(contentsOf: Data("\(post.id)\n".utf8))
          if number == acknowledged { enough.signal() }
        }
      }

      // When the file is opened again
      let service = try LocalDataService(path: path)
      let posts = try await service.fetchPosts()

      // Then every post that was promised is there, whole; and at most one more, which was stored
      // but whose promise did not get out
      let promised = String(decoding: try bytes(of: promises), as: UTF8.self)
        .split(separator: "\n").compactMap { Int64($0) }
      #expect(promised.count >= acknowledged)
      let stored = posts.dropFirst(3)
      #expect(stored.map(\.id).starts(with: promised.map(RecordID.number)))
      #expect(stored.count <= promised.count + 1)
      #expect(stored.map(\.title) == (1...stored.count).map(String.init))
      #expect(stored.allSatisfy { $0.body.utf8.count == 500 })
      #expect(try await service.createPost(PostDraft(title: "after", body: "")).id != 3)
    }
  }

  @Test func `D4: a call waits for another process's lock, up to its limit`() async throws {
    try await withTemporaryDirectory { folder in
      // Given a file that somebody has locked for good
      let path = folder + "/posts.sqlite"
      let service = try LocalDataService(LocalDatabaseOpening(path: path, busyTimeout: 20))
      let other = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: 0)
      try other.execute("BEGIN IMMEDIATE")

      // When a post is to be stored, then the error says what is in the way
      await #expect(
        throws: DataServiceError.storage(
          path: path,
          reason: "another program kept it locked for 20 ms. "
            + "Wait until that program has finished, or end it.")
      ) { try await service.createPost(PostDraft(title: "t", body: "")) }

      // And reading goes on meanwhile, and storing when the lock is gone
      #expect(try await service.fetchPosts().count == 3)
      try other.execute("COMMIT")
      #expect(try await service.createPost(PostDraft(title: "t", body: "")).id == 4)
    }
  }

  @Test func `D4: cancelling ends the wait for another process and stores nothing`() async throws {
    try await withTemporaryDirectory { folder in
      // Given a call that waits for a lock nobody will release, for an hour if need be, and another
      // that waits for the first
      let path = folder + "/posts.sqlite"
      let service = try LocalDataService(
        LocalDatabaseOpening(path: path, busyTimeout: 3_600_000))
      let other = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: 0)
      try other.execute("BEGIN IMMEDIATE")
      let first = Task { try await service.createPost(PostDraft(title: "first", body: "")) }
      let second = Task { try await service.createPost(PostDraft(title: "second", body: "")) }

      // When both are cancelled, then both end
      second.cancel()
      await #expect(throws: DataServiceError.cancelled) { try await second.value }
      first.cancel()
      await #expect(throws: DataServiceError.cancelled) { try await first.value }

      // And neither is stored
      try other.execute("COMMIT")
      #expect(try await service.fetchPosts().count == 3)
    }
  }
}
