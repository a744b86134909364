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

/// Tells Swift Testing, as an issue of the test that is running.
func recordIssue(_ text: String, at location: TestLocation) {
  Issue.record(
    Comment(rawValue: text),
    sourceLocation: SourceLocation(
      fileID: location.fileID, filePath: location.filePath, line: location.line,
      column: location.column))
}
