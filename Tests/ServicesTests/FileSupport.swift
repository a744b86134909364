import Foundation

@testable import Services

/// Every byte of a file.
func bytes(of path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Makes a file of these bytes.
func write(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// Whether there is something at a path.
func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

/// The names in a folder, sorted.
func names(in folder: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}

/// The first column of the last row that a statement returns.
func read(_ sql: String, _ connection: SQLiteConnection) throws -> String? {
  var value: String?
  try connection.run(sql) { value = $0.text(0) }
  return value
}
