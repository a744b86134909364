import Middleware
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MapTests {
  @Test func `M5: a map replaces an action by another, or passes it on as it is`() {
    // Given
    let identities = Recorder<DispatchIdentity>()
    let log = Recorder<String>()
    let store = makeJournal(middleware: [
      .map { action in (action as? Note)?.text == "add" ? Increment() : action },
      identifying(in: identities),
      createMiddleware(items: [MiddlewareItem { action, _ in log.record(label(action)) }]),
    ])

    // When
    store.dispatch(Note("add"))
    store.dispatch(Note("B"))

    // Then
    #expect(store.state == Journal(count: 1, notes: ["B"]))
    #expect(log.values == ["Increment", "B"])
    #expect(identities.values.map(\.number) == [1, 2])
    #expect(identities.values.map(\.cause) == [.caller, .caller])
  }

  @Test func `M5: maps apply one after the other, in the order of the array`() {
    let appending = { (text: String) -> Middleware<Journal> in
      .map { action in (action as? Note).map { Note($0.text + text) } ?? action }
    }
    let store = makeJournal(middleware: [appending("1"), appending("2")])
    store.dispatch(Note("A"))
    #expect(store.state.notes == ["A12"])
  }
}
