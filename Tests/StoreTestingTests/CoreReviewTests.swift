import Middleware
import Store
import TestSupport
import Testing

@testable import StoreTesting

/// Each of these fails: they are what a review of the core found.
@Suite(.timeLimit(.minutes(1)))
struct CoreReviewTests {
  let failures = Recorder<String>()

  func testStore(_ middleware: [Middleware<CounterState>]) -> TestStore<CounterState> {
    TestStore(
      initialState: CounterState(), reducer: counterReducer, middleware: middleware,
      limit: .seconds(10), report: { text, _ in failures.record(text) },
      creation: TestLocation("T/T.swift", "T", 1, 1))
  }

  @Test func `T2: an action that came after finish and nobody received fails`() async {
    do {
      let store = testStore([createMiddleware(items: [loadCount { 3 }])])
      await store.finish()
      await store.send(Counter.load) { $0.isLoading = true }
    }
    #expect(failures.values.count == 1)
  }
}
