internal import Dispatch

/// The one owner of a local service's connection.
///
/// Calls run one at a time, in the order they were made, on a queue of their own: a call may wait
/// for a disk or for another process, and the cooperative pool has only one thread for each core.
/// The lock is never contended; it is how the compiler knows that the connection has one user. An
/// actor on such a queue would do the same, but to make a queue an executor takes unsafe code.
final class LocalDatabase: Sendable {
  private let path: String
  private let queue = DispatchQueue(label: "millrace.local-data-service")
  private let connection: Lock<SQLiteConnection>

  /// Whether this opening of the file made it, or filled it for the first time.
  let isNew: Bool

  /// Opens the file, or makes it, on the calling thread.
  init(_ opening: LocalDatabaseOpening) throws(DataServiceError) {
    path = opening.path
    let opened = try opening.open()
    isNew = opened.isNew
    connection = Lock(opened.connection)
  }

  /// Returns every user, by identity.
  func users() async throws(DataServiceError) -> [User] {
    try await perform { connection throws(SQLiteError) in
      var users: [User] = []
      try connection.run(
        """
        SELECT id, name, first_name, last_name, username, email, phone, website
        FROM users ORDER BY id
        """
      ) { row in
        users.append(
          User(
            id: .number(row.integer(0)), name: row.text(1) ?? "", firstName: row.text(2),
            lastName: row.text(3), username: row.text(4), email: row.text(5), phone: row.text(6),
            website: row.text(7)))
      }
      return users
    }
  }

  /// Returns every post, oldest first.
  func posts() async throws(DataServiceError) -> [Post] {
    try await perform { connection throws(SQLiteError) in
      var posts: [Post] = []
      try connection.run("SELECT id, user_id, title, body FROM posts ORDER BY id") { row in
        posts.append(
          Post(
            id: .number(row.integer(0)), userID: row.isNull(1) ? nil : .number(row.integer(1)),
            title: row.text(2) ?? "", body: row.text(3) ?? ""))
      }
      return posts
    }
  }

  /// Stores a post and returns its identity, or nil when there is no such user.
  ///
  /// When this returns an identity, the post is in the file and stays there.
  func insertPost(
    userID: Int64?, title: String, body: String
  ) async throws(DataServiceError) -> Int64? {
    try await perform { connection throws(SQLiteError) in
      do throws(SQLiteError) {
        // One statement is one transaction: it happens as a whole or not at all.
        try connection.run(
          "INSERT INTO posts (user_id, title, body) VALUES (?, ?, ?)",
          [userID.map(SQLiteValue.integer) ?? .null, .text(title), .text(body)])
      } catch {
        guard error.code == SQLiteError.unknownReference else { throw error }
        return nil
      }
      return connection.lastInsertedRowID
    }
  }

  /// Runs work on the queue.
  ///
  /// A cancelled call that has not begun never begins. One that has begun stops waiting for other
  /// processes and stops reading, but what it has stored stays stored, and it says so.
  private func perform<Value: Sendable>(
    _ work: @escaping @Sendable (SQLiteConnection) throws(SQLiteError) -> Value
  ) async throws(DataServiceError) -> Value {
    let call = LocalDatabaseCall<Value>()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        call.wait(with: continuation)
        queue.async { call.run { wait in self.run(work, wait) } }
      }
    } onCancel: {
      call.cancel()
    }
    return try result.get()
  }

  private func run<Value: Sendable>(
    _ work: @Sendable (SQLiteConnection) throws(SQLiteError) -> Value, _ wait: BusyWait
  ) -> Result<Value, DataServiceError> {
    connection.withLock { connection in
      connection.busyWait = wait
      do throws(SQLiteError) {
        return .success(try work(connection))
      } catch {
        if wait.isCancelled && error.endsWithCancellation { return .failure(.cancelled) }
        return .failure(
          DataServiceError(
            error, path: path, busyTimeout: connection.busyTimeout))
      }
    }
  }
}
