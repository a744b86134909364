import Middleware
import Store
import XCTest

@testable import StoreTesting

/// A store for tests under XCTest, which runs beside Swift Testing.
final class XCTestTests: XCTestCase {
  /// What the test case was told, instead of failing with it.
  private var failures: [(text: String, line: Int)] = []
  private var isCollecting = false

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    guard isCollecting else {
      return super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
    failures.append((description, lineNumber))
  }

  func test_T6_a_right_test_passes() async {
    let store = TestStore(
      initialState: CounterState(), reducer: counterReducer,
      middleware: [createMiddleware(items: [loadCount { 3 }])])
    await store.send(Counter.load) { $0.isLoading = true }
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await store.finish()
  }

  func test_T6_a_failure_is_one_of_the_test_case_at_its_line() async {
    let store = TestStore(initialState: CounterState(), reducer: counterReducer)
    isCollecting = true
    let line = #line + 1
    await store.send(Counter.increment)
    isCollecting = false
    XCTAssertEqual(failures.count, 1)
    XCTAssertEqual(failures.first?.line, line)
    XCTAssertTrue(failures.first?.text.contains("count: expected 0, got 1") == true)
    await store.finish()
  }
}
