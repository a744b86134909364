internal import CSQLite

/// One connection to one database file, closed with its last reference.
///
/// This file is the only one that calls SQLite, and the only one in the module with `unsafe` in it.
/// Why that is sound:
///
/// 1. *One user at a time.* Nothing here is `Sendable`: the compiler keeps a connection and its
///    statements where they were made, which is ``LocalDatabase``'s lock. SQLite may therefore
///    leave out its own locking (`SQLITE_OPEN_NOMUTEX`), and `deinit`, which runs when nobody else
///    can hold a reference, may close on any thread.
/// 2. *No handle outlives its owner.* The connection's handle is made in `init`, closed in `deinit`
///    and never leaves the file. So are the statements' handles, which the connection owns; a
///    ``SQLiteStatement`` in use holds the connection and thereby them.
/// 3. *No memory is shared past a call.* Text that goes in is copied by SQLite before the call
///    returns. Text that comes out is copied into a `String` before the next call on the statement,
///    which is what would free it; its length is asked for after the text, as SQLite requires.
/// 4. *The busy handler's context lives long enough.* It is an object that the connection holds, and
///    SQLite calls the handler only from within calls on that connection. It is used only on the
///    connection's own thread, inside such a call.
/// 5. *Every result code is checked*, except where SQLite documents that the code only repeats an
///    error that was already reported: reset and finalize.
@safe final class SQLiteConnection {
  /// How a connection is opened.
  enum Access {
    /// Looks only; the file must exist.
    case readOnly
    /// Reads and writes; makes an empty file where there is none.
    case readWrite
  }

  private let handle: OpaquePointer
  private let busy: BusyHandler
  private var statements: [String: OpaquePointer]

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file. It must not be one of the names that SQLite treats specially.
  ///   - access: Whether the connection may write.
  ///   - busyTimeout: How many milliseconds to wait for another connection's lock.
  /// - Throws: What SQLite said. A file that is not a database is only found out when it is read.
  init(path: String, access: Access, busyTimeout: Int) throws(SQLiteError) {
    let flags =
      switch access {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let handle = unsafe opened else {
      // A failed open still hands out a handle, to ask for the message and then to close.
      let error = unsafe SQLiteError(code: code, message: String(cString: sqlite3_errmsg(opened)))
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe self.handle = handle
    unsafe statements = [:]
    busy = BusyHandler(limit: busyTimeout)
    unsafe sqlite3_busy_handler(
      handle,
      { context, retries in
        guard let context = unsafe context else { return 0 }
        let busy = unsafe Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue()
        return busy.wait.wait(beforeRetry: Int(retries), limit: busy.limit) ? 1 : 0
      }, Unmanaged.passUnretained(busy).toOpaque())
  }

  deinit {
    unsafe statements.values.forEach { statement in unsafe sqlite3_finalize(statement) }
    unsafe sqlite3_close_v2(handle)
  }

  /// What waits for other connections' locks while this connection works.
  var busyWait: BusyWait {
    get { busy.wait }
    set { busy.wait = newValue }
  }

  /// How many milliseconds a call waits for other connections' locks.
  var busyTimeout: Int { busy.limit }

  /// Whether the file could be opened for reading only, although more was asked for.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

  /// The identity of the row that was inserted last.
  var lastInsertedRowID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// Says whether the last connection to close moves the write-ahead log into the file.
  func setCheckpointsOnClose(_ enabled: Bool) throws(SQLiteError) {
    try check(unsafe csqlite_set_checkpoints_on_close(handle, enabled ? 1 : 0))
  }

  /// Returns the first bytes of the file and its size, without locking or changing anything.
  func readStart(count: Int) throws(SQLiteError) -> (bytes: [UInt8], size: Int64) {
    var bytes = [UInt8](repeating: 0, count: count)
    var size: Int64 = 0
    let code = unsafe csqlite_read_start(handle, &bytes, Int32(count), &size)
    try check(code)
    return (bytes, size)
  }

  /// Runs statements that return nothing of interest.
  func execute(_ sql: String) throws(SQLiteError) {
    try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Runs a statement and hands each of its rows to a closure.
  ///
  /// The statement is prepared at its first use and kept. It must not be run again from within.
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - values: What to put in the place of each `?`, in order.
  ///   - body: What to do with a row, which is valid only until it returns.
  /// - Throws: What SQLite said, or SQLITE_INTERRUPT when the wait was cancelled between two rows.
  func run(
    _ sql: String, _ values: [SQLiteValue] = [],
    eachRow body: (borrowing SQLiteRow) -> Void = { _ in }
  ) throws(SQLiteError) {
    let statement = unsafe try prepared(sql)
    // Resetting ends the statement's transaction, also after an error.
    defer { unsafe sqlite3_reset(statement) }
    for (index, value) in zip(Int32(1)..., values) {
      try unsafe bind(value, at: index, of: statement)
    }
    while true {
      let code = unsafe sqlite3_step(statement)
      try check(code)
      guard code == SQLITE_ROW else { return }
      if busyWait.isCancelled { throw SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted") }
      unsafe body(SQLiteRow(statement: statement))
    }
  }

  private func prepared(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    if let kept = unsafe statements[sql] { return unsafe kept }
    var prepared: OpaquePointer?
    try check(
      unsafe sqlite3_prepare_v3(
        handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
    guard let statement = unsafe prepared else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "there is no statement in the text")
    }
    unsafe statements[sql] = statement
    return unsafe statement
  }

  private func bind(
    _ value: SQLiteValue, at index: Int32, of statement: OpaquePointer
  ) throws(SQLiteError) {
    switch value {
    case .null: try check(unsafe sqlite3_bind_null(statement, index))
    case .integer(let integer): try check(unsafe sqlite3_bind_int64(statement, index, integer))
    case .text(let text):
      try check(
        unsafe csqlite_bind_text(statement, index, text, sqlite3_uint64(text.utf8.count)))
    }
  }

  /// Turns a result code into an error, in one place.
  private func check(_ code: Int32) throws(SQLiteError) {
    switch code {
    case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
    default: throw unsafe SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
  }

  /// What the busy handler is given to work with.
  private final class BusyHandler {
    let limit: Int
    var wait = BusyWait()

    init(limit: Int) { self.limit = limit }
  }
}

/// What can be put into a statement.
enum SQLiteValue {
  case null
  case integer(Int64)
  case text(String)
}

/// The row that a statement has come to, valid until the statement moves on.
@safe struct SQLiteRow: ~Copyable {
  private let statement: OpaquePointer

  fileprivate init(statement: OpaquePointer) { unsafe self.statement = statement }

  /// Returns a column as a number; NULL is 0.
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

  /// Returns a column as text, or nil for NULL.
  ///
  /// Bytes that are not UTF-8, which another program may have written, are replaced.
  func text(_ column: Int32) -> String? {
    guard let start = unsafe sqlite3_column_text(statement, column) else { return nil }
    let count = unsafe Int(sqlite3_column_bytes(statement, column))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Whether a column is NULL.
  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
  }
}
