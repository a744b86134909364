import Testing

@testable import Services

@Suite struct SQLiteErrorTests {
  /// Result codes of sqlite.org/rescode.html.
  private enum Code {
    static let full: Int32 = 13
    static let inputOutput: Int32 = 10
    static let sync: Int32 = 1034
    static let write: Int32 = 778
  }

  @Test func `D4: without space nothing was stored`() {
    let error = DataServiceError(
      SQLiteError(code: Code.full, message: "database or disk is full"), path: "/x",
      busyTimeout: 1)

    #expect(
      error
        == .diskFailure(
          path: "/x",
          reason: "there is no space left for it, and nothing was stored. Free some space and try "
            + "again."))
    #expect(!error.leavesCreationOpen)
  }

  @Test(arguments: [(Code.inputOutput, false), (Code.write, false), (Code.sync, true)])
  func `D4: a disk that fails leaves open only what it did not confirm`(code: Int32, isOpen: Bool) {
    let error = DataServiceError(
      SQLiteError(code: code, message: "disk I/O error"), path: "/x", busyTimeout: 1)

    #expect(
      error
        == .diskFailure(
          path: "/x",
          reason: "reading or writing failed (disk I/O error, SQLite code \(code)). Check the "
            + "disk, and that it has space left.", isOutcomeOpen: isOpen))
    #expect(error.leavesCreationOpen == isOpen)
  }

  @Test(arguments: [5, 8, 11, 14, 26, 1] as [Int32])
  func `D4: what is wrong with the file is no failure of the disk`(code: Int32) {
    let error = DataServiceError(
      SQLiteError(code: code, message: "m"), path: "/x", busyTimeout: 1)

    guard case .storage("/x", _) = error else {
      Issue.record("\(code) became \(error)")
      return
    }
    #expect(!error.leavesCreationOpen)
  }
}
