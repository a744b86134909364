internal import FoundationEssentials

/// How a local service's file is opened, or made.
///
/// A file that is not ours, is newer than we are, or is damaged is found out before anything is
/// written to it.
struct LocalDatabaseOpening: Sendable {
  /// The file, as it was asked for.
  var path: String
  /// How many milliseconds to wait for another process.
  var busyTimeout = 5000
  /// Whether folders that lead to a new file are made, or must be there.
  var makesFolders = true
  /// How many pages the file may have, or nil for as many as SQLite permits.
  var maximumPageCount: Int?

  /// Returns a connection to a file that is ours and has the layout we know, and whether it is new.
  ///
  /// Of several processes that open a new file at once, it is new for one: the one that filled it.
  func open() throws(DataServiceError) -> sending (connection: SQLiteConnection, isNew: Bool) {
    let name = try fileName()
    if try exists(name) {
      try checkStart(of: name)
    } else if makesFolders {
      try makeFolder(for: name)
    } else {
      try checkFolder(of: name)
    }
    let connection = try translated { () throws(SQLiteError) in
      let connection = try SQLiteConnection(
        path: name, access: .readWrite, busyTimeout: busyTimeout)
      // Should the file be refused after all, closing it must not write to it.
      try connection.setCheckpointsOnClose(false)
      return connection
    }
    guard !connection.isReadOnly else {
      throw refusal("it is write-protected. Permit writing to it, or choose another file.")
    }
    try configure(connection)
    let isNew = try layOut(connection)
    try checkPages(of: connection)
    try useWriteAheadLog(connection)
    try translated { () throws(SQLiteError) in try connection.setCheckpointsOnClose(true) }
    return (connection, isNew)
  }
}

extension LocalDatabaseOpening {
  /// Returns the path in a spelling that means only a file to SQLite.
  private func fileName() throws(DataServiceError) -> String {
    guard !path.isEmpty else {
      throw refusal("the path is empty. Name a file.")
    }
    guard !path.utf8.contains(0) else {
      throw refusal("the path has a zero byte in it. Name a file.")
    }
    // Names like ":memory:" and "file:…" are something else to SQLite.
    return path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
  }

  /// Says whether there is a file, and refuses what is there but is none.
  private func exists(_ name: String) throws(DataServiceError) -> Bool {
    var isDirectory = false
    guard FileManager.default.fileExists(atPath: name, isDirectory: &isDirectory) else {
      return false
    }
    guard !isDirectory else {
      throw refusal("it is a folder. Name a file, perhaps one inside it.")
    }
    // SQLite would wait for a pipe for ever, and lose what a device swallows.
    let target = URL(filePath: name).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: target)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else {
      throw refusal("it is a device, a pipe or a socket. Name an ordinary file.")
    }
    return true
  }

  /// Makes the folder of a file that is not there yet, for its user only.
  private func makeFolder(for name: String) throws(DataServiceError) {
    let folder = URL(filePath: name).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw refusal(
        "its folder \(folder) cannot be made. "
          + "Check that every part of the path before the file is a folder that you may write to.")
    }
  }

  /// Refuses a new file in a folder that is not there, which may be a misspelt one.
  private func checkFolder(of name: String) throws(DataServiceError) {
    let folder = URL(filePath: name).deletingLastPathComponent().path
    var isDirectory = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory) else {
      throw refusal("there is no folder \(folder). Correct the path, or make that folder.")
    }
    guard isDirectory else {
      throw refusal("\(folder) is no folder. Correct the path.")
    }
  }

  /// Refuses a file whose first bytes say that it is not ours, or that it is newer than we are.
  private func checkStart(of name: String) throws(DataServiceError) {
    let start = try translated { () throws(SQLiteError) in
      try SQLiteConnection(path: name, access: .readOnly, busyTimeout: busyTimeout)
        .readStart(count: 100)
    }
    // An empty file is what a process leaves that was killed before its first transaction ended.
    guard start.size > 0 else { return }
    guard start.size >= 100, start.bytes.starts(with: "SQLite format 3\0".utf8) else {
      throw refusal(
        "it is not a SQLite database. Choose another file, or move this one away.")
    }
    // The offsets are those of sqlite.org/fileformat2.html, 1.3.
    try check(
      applicationID: Self.bigEndian(start.bytes[68..<72]),
      version: Self.bigEndian(start.bytes[60..<64]))
  }

  func check(applicationID: Int32, version: Int32) throws(DataServiceError) {
    guard applicationID == LocalSchema.applicationID else {
      throw refusal(
        "it is the database of another program. Choose another file.")
    }
    guard version <= LocalSchema.version else {
      throw refusal(
        "it was written by a newer version (layout \(version); this version knows up to "
          + "\(LocalSchema.version)). Update this program, or choose another file.")
    }
  }

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int32 {
    bytes.reduce(0) { $0 << 8 | Int32($1) }
  }

  func translated<Value>(
    _ work: () throws(SQLiteError) -> Value
  ) throws(DataServiceError) -> Value {
    do throws(SQLiteError) {
      return try work()
    } catch {
      throw DataServiceError(error, path: path, busyTimeout: busyTimeout)
    }
  }

  func refusal(_ reason: String) -> DataServiceError {
    .storage(path: path, reason: reason)
  }
}
