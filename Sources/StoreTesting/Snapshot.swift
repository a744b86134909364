internal import FoundationEssentials

/// A text that was recorded in a file beside the test, and is compared with what a test makes.
struct Snapshot: Sendable {
  let name: String
  /// Where it is: `__Snapshots__/MyTests/name.txt` beside `MyTests.swift`.
  let path: String

  /// The snapshot of a name that belongs to the test file at `testPath`.
  init(named name: String, besides testPath: String) {
    self.name = name
    let parts = testPath.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().joined(separator: "/")
    let file = parts.last.map(String.init) ?? ""
    let test = file.hasSuffix(".swift") ? String(file.dropLast(".swift".count)) : file
    path = "\(folder.isEmpty ? "" : "\(folder)/")__Snapshots__/\(test)/\(name).txt"
  }

  /// Compares `text` with what was recorded, or records it.
  ///
  /// - Parameters:
  ///   - text: what the test made.
  ///   - record: what the call says of recording; nil if nothing.
  ///   - isRecording: what the environment says of it.
  /// - Returns: what to tell the test, nil if nothing.
  func failure(for text: String, record: Bool?, isRecording: Bool) -> String? {
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
      return FailureText.badSnapshotName(name)
    }
    do {
      let old = try recorded()
      if record ?? isRecording {
        if old != Data(text.utf8) { try write(text) }
        // Who leaves it in the test would never learn of a difference.
        return record == true ? FailureText.snapshotRecordedByCall(self) : nil
      }
      guard let old else {
        try write(text)
        return FailureText.snapshotRecorded(self)
      }
      guard old != Data(text.utf8) else { return nil }
      return FailureText.otherSnapshot(
        self, LineDifference(from: String(decoding: old, as: UTF8.self), to: text))
    } catch {
      return FailureText.snapshotOutOfReach(self, error)
    }
  }

  private func recorded() throws -> Data? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try Data(contentsOf: URL(filePath: path))
  }

  private func write(_ text: String) throws {
    let file = URL(filePath: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file, options: .atomic)
  }

  /// Whether the environment asks to record: `MILLRACE_RECORD=1`.
  static var isRecording: Bool { ProcessInfo.processInfo.environment["MILLRACE_RECORD"] == "1" }
}

/// Asserts that a value prints as it did when its snapshot was recorded.
///
/// ```swift
/// assertSnapshot(of: store.state, named: "after loading")
/// assertSnapshot(of: output, named: "help")
/// ```
///
/// A text is compared as it is, a list of texts line by line, as a log; of any other value each part
/// has a line. The snapshot is a file beside the test, `__Snapshots__/MyTests/help.txt`, to be kept
/// with it; exclude the folder from the target in `Package.swift`.
///
/// Where there is no snapshot it is recorded, and the test fails once, so that nobody takes it for
/// asserted. To record it again, run the tests with `MILLRACE_RECORD=1` in their environment, or
/// pass `record: true`, with which the test fails until you take it out; and read what changed before
/// you keep it.
///
/// - Parameters:
///   - value: what the test made.
///   - name: names the snapshot; no two in one test file have the same.
///   - record: whether to record it, true or false; nil asks the environment.
///   - fileID: the file to report a failure in.
///   - filePath: the path of that file, beside which the snapshot is.
///   - line: the line in that file.
///   - column: the column in that line.
public func assertSnapshot<Value>(
  of value: Value, named name: String, record: Bool? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let failure = Snapshot(named: name, besides: "\(filePath)")
    .failure(for: SnapshotText(value).text, record: record, isRecording: Snapshot.isRecording)
  guard let failure else { return }
  recordIssue(failure, at: TestLocation(fileID, filePath, line, column))
}
