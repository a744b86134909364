internal import CSQLite

/// What SQLite answered when it could not do what it was asked.
struct SQLiteError: Error, Equatable {
  /// A row refers to another that is not there: SQLITE_CONSTRAINT_FOREIGNKEY, a macro that is an
  /// expression, which Swift does not see.
  static let unknownReference: Int32 = 787

  /// The disk refused to confirm what was written: SQLITE_IOERR_FSYNC, such a macro too.
  static let unconfirmedWrite: Int32 = 1034

  /// The extended result code, as in sqlite.org/rescode.html.
  var code: Int32
  /// SQLite's own words for it.
  var message: String

  /// The family of the code, without the detail.
  var family: Int32 { code & 0xFF }

  /// Whether work that was cancelled ends like this.
  var endsWithCancellation: Bool {
    switch family {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_INTERRUPT: true
    default: false
    }
  }
}

extension DataServiceError {
  /// Says what a SQLite error means for someone with a file, and what would help.
  ///
  /// - Parameters:
  ///   - error: What SQLite said.
  ///   - path: The file.
  ///   - busyTimeout: How many milliseconds were waited for another connection's lock.
  init(_ error: SQLiteError, path: String, busyTimeout: Int) {
    let detail = "\(error.message), SQLite code \(error.code)"
    let reason =
      switch error.family {
      case SQLITE_BUSY, SQLITE_LOCKED:
        "another program kept it locked for \(busyTimeout) ms. "
          + "Wait until that program has finished, or end it."
      case SQLITE_FULL:
        "there is no space left for it, and nothing was stored. Free some space and try again."
      case SQLITE_READONLY, SQLITE_PERM:
        "it or its folder is write-protected (\(detail)). "
          + "Permit writing to both, or choose another file."
      case SQLITE_CANTOPEN, SQLITE_AUTH:
        "it cannot be opened (\(detail)). "
          + "Check that its folder exists, and that you may read and write both."
      case SQLITE_NOTADB:
        "it is not a SQLite database. Choose another file, or move this one away."
      case SQLITE_CORRUPT:
        "it is damaged (\(detail)). Restore it from a copy, or move it away to begin a new one."
      case SQLITE_IOERR:
        "reading or writing failed (\(detail)). Check the disk, and that it has space left."
      default:
        "SQLite refused (\(detail)). Choose another file, and report this if it happens again."
      }
    switch error.family {
    case SQLITE_FULL:
      self = .diskFailure(path: path, reason: reason)
    case SQLITE_IOERR:
      // All of a commit was written by then, and nobody can say whether it will be read back.
      self = .diskFailure(
        path: path, reason: reason, isOutcomeOpen: error.code == SQLiteError.unconfirmedWrite)
    default:
      self = .storage(path: path, reason: reason)
    }
  }
}
