import Store
import Testing

/// Where a failure is reported.
package struct TestLocation: Sendable {
  package let fileID: String
  package let filePath: String
  package let line: Int
  package let column: Int

  package init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.fileID = "\(fileID)"
    self.filePath = "\(filePath)"
    self.line = Int(line)
    self.column = Int(column)
  }
}

/// Tells the test runner of a failure.
package typealias FailureReport = @Sendable (_ text: String, TestLocation) -> Void

/// The line of a test that used its store last, where failures are reported that have none of their
/// own.
///
/// Not the line that made the store: in a suite that is often one helper for all tests.
final class LatestLine: Sendable {
  private let lock: Lock<TestLocation>

  init(_ creation: TestLocation) { lock = Lock(creation) }

  var location: TestLocation {
    get { lock.withLock { $0 } }
    set { lock.withLock { $0 = newValue } }
  }
}

/// Tells Swift Testing, as an issue of the test that is running.
func recordIssue(_ text: String, at location: TestLocation) {
  Issue.record(
    Comment(rawValue: text),
    sourceLocation: SourceLocation(
      fileID: location.fileID, filePath: location.filePath, line: location.line,
      column: location.column))
}
