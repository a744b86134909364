import Testing

@testable import StoreTesting

struct FailureReportTests {
  @Test func `T6: a failure that no test case of XCTest waits for ends nothing`() async {
    await #expect(processExitsWith: .success) {
      failTestCase("nobody's", at: TestLocation("T/T.swift", "T", 1, 1))
    }
  }
}
