import Store
import Testing
import XCTest

/// Where a failure is reported.
package struct TestLocation: Sendable {
  package let fileID: String
  package let filePath: String
  package let line: Int
  package let column: Int
  /// The path once more, in the type that XCTest takes.
  let file: StaticString

  package init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.fileID = "\(fileID)"
    self.filePath = "\(filePath)"
    self.line = Int(line)
    self.column = Int(column)
    file = filePath
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

/// Tells the test that is running: of Swift Testing an issue, of XCTest a failure.
func recordIssue(_ text: String, at location: TestLocation) {
  // A thread that is not a test's has no current one. XCTest ignores a failure while no test case of
  // its own runs, and an issue is told only where Swift Testing runs, so both are told.
  if Test.current == nil { failTestCase(text, at: location) }
  Issue.record(
    Comment(rawValue: text),
    sourceLocation: SourceLocation(
      fileID: location.fileID, filePath: location.filePath, line: location.line,
      column: location.column))
}

func failTestCase(_ text: String, at location: TestLocation) {
  XCTFail(text, file: location.file, line: UInt(location.line))
}
