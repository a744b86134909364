import Middleware
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FilterTests {
  @Test func `M5: a filter drops the actions that its predicate refuses, and no others`() async {
    // Given
    let log = Recorder<String>()
    let results = Recorder<DispatchResult>()
    let store = makeJournal(middleware: [
      .recording { results.record($0.result) },
      .filter { !($0 is Note) },
      tracing("inner", in: log),
      createMiddleware(items: [MiddlewareItem { action, _ in log.record("item \(label(action))") }]
      ),
    ])

    // When
    await store.dispatch(Note("A")).finish()
    await store.dispatch(Increment()).finish()

    // Then
    #expect(store.state == Journal(count: 1))
    #expect(log.values == ["inner> Increment", "<inner Increment", "item Increment"])
    #expect(results.values == [.swallowed, .reduced(commit: 1)])
  }

  @Test func `M5: a filter asks its predicate once for each action`() {
    let asked = Recorder<String>()
    let store = makeJournal(middleware: [
      .filter { action in
        asked.record(label(action))
        return true
      }
    ])
    store.dispatch(Note("A"))
    store.dispatch(Increment())
    #expect(asked.values == ["A", "Increment"])
  }
}
