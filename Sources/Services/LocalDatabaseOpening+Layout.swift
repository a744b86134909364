internal import CSQLite

/// What is done once SQLite has the file, and may write to it when all is well.
extension LocalDatabaseOpening {
  func configure(_ connection: SQLiteConnection) throws(DataServiceError) {
    try translated { () throws(SQLiteError) in
      // FULL: a commit returns when its bytes are on the disk. With NORMAL, which is usual for a
      // write-ahead log, a power cut could take back a post that was acknowledged.
      try connection.execute(
        """
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        """)
      if let maximumPageCount {
        try connection.execute("PRAGMA max_page_count = \(maximumPageCount)")
      }
    }
  }

  /// Makes and fills the tables of a new file, and refuses a file that turns out not to be ours.
  ///
  /// The first bytes were looked at before, but the truth may be in a log beside the file.
  ///
  /// - Returns: Whether this call filled the file.
  func layOut(_ connection: SQLiteConnection) throws(DataServiceError) -> Bool {
    let mark = try translated { () throws(SQLiteError) in
      let isNew = try isUnmarked(connection) ? fillOnce(connection) : false
      return (
        isNew: isNew,
        applicationID: try number("PRAGMA application_id", connection),
        version: try number("PRAGMA user_version", connection)
      )
    }
    try check(
      applicationID: Int32(truncatingIfNeeded: mark.applicationID),
      version: Int32(truncatingIfNeeded: mark.version))
    return mark.isNew
  }

  /// Makes and fills the tables, and returns true, unless another process was faster.
  func fillOnce(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
    // From here on no other process writes. If this fails, closing the connection undoes it.
    try connection.execute("BEGIN IMMEDIATE")
    var isNew = false
    if try isUnmarked(connection), try isWithoutTables(connection) {
      isNew = true
      try connection.execute(LocalSchema.tables)
      try fill(connection)
      try connection.execute(LocalSchema.mark)
    }
    try connection.execute("COMMIT")
    return isNew
  }

  private func isUnmarked(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
    try number("PRAGMA application_id", connection) == 0
  }

  private func isWithoutTables(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
    try number("SELECT count(*) FROM sqlite_schema", connection) == 0
  }

  private func number(
    _ sql: String, _ connection: SQLiteConnection
  ) throws(SQLiteError) -> Int64 {
    var number: Int64 = 0
    try connection.run(sql) { number = $0.integer(0) }
    return number
  }

  private func fill(_ connection: SQLiteConnection) throws(SQLiteError) {
    for user in LocalSchema.firstUsers {
      let texts = [
        user.name, user.firstName, user.lastName, user.username, user.email, user.phone,
        user.website,
      ]
      try connection.run(
        """
        INSERT INTO users
          (name, first_name, last_name, username, email, phone, website)
          VALUES (?, ?, ?, ?, ?, ?, ?)
        """, texts.map { $0.map(SQLiteValue.text) ?? .null })
    }
    for post in LocalSchema.firstPosts {
      try connection.run(
        "INSERT INTO posts (user_id, title, body) VALUES (?, ?, ?)",
        [.integer(post.userID), .text(post.title), .text(post.body)])
    }
  }

  /// Refuses a damaged file before anything is added to it.
  ///
  /// This reads the whole file, some 2 ms for ten thousand posts; a later finding would come after
  /// the first write.
  func checkPages(of connection: SQLiteConnection) throws(DataServiceError) {
    let finding = try translated { () throws(SQLiteError) in
      var finding: String?
      try connection.run("PRAGMA quick_check(1)") { finding = $0.text(0) }
      return finding
    }
    guard finding == "ok" else {
      throw DataServiceError(
        SQLiteError(code: SQLITE_CORRUPT, message: finding ?? "the check found nothing to read"),
        path: path, busyTimeout: busyTimeout)
    }
  }

  /// Lets readers and a writer work side by side, where the file system can share memory.
  ///
  /// Where it cannot, the file keeps its rollback journal: what is acknowledged is as safe.
  func useWriteAheadLog(_ connection: SQLiteConnection) throws(DataServiceError) {
    try translated { () throws(SQLiteError) in
      var retries = 0
      while true {
        do throws(SQLiteError) {
          return try connection.run("PRAGMA journal_mode = WAL")
        } catch {
          // SQLite does not call the busy handler here: it holds a read lock already, and two such
          // connections would wait for each other. It has let go of the lock by now.
          guard error.family == SQLITE_BUSY,
            connection.busyWait.wait(beforeRetry: retries, limit: busyTimeout)
          else { throw error }
          retries += 1
        }
      }
    }
  }
}
