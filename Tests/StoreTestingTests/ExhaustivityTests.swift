import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@testable import StoreTesting

/// A store for tests that need not name everything.
@Suite(.timeLimit(.minutes(5)))
struct ExhaustivityTests {
  let failures = Recorder<String>()

  func testStore(
    _ exhaustivity: Exhaustivity = .off, limit: Duration = .seconds(3600),
    _ items: MiddlewareItem...
  ) -> TestStore<CounterState> {
    TestStore(
      initialState: BoxedValue(CounterState()), reducer: counterReducer,
      middleware: [createMiddleware(items: items)], exhaustivity: exhaustivity, limit: limit,
      report: { text, _ in failures.record(text) }, creation: TestLocation("T/T.swift", "T", 1, 1))
  }

  /// Increments three times, and sets a count.
  let busy = MiddlewareItem.effect(on: Counter.load, name: "busy") { effect in
    for _ in 0..<3 { effect.dispatch(Counter.increment) }
    effect.dispatch(Counter.loaded(7))
    effect.dispatch(Counter.increment)
  }

  let endless = MiddlewareItem.effect(on: Counter.load, name: "endless") { effect in
    try await effect.sleep(for: .seconds(3))
  }

  @Test(arguments: [(Exhaustivity.on, 2), (.off, 0)])
  func `T2: unreceived actions and running effects are failures only where all is to be named`(
    _ exhaustivity: Exhaustivity, _ count: Int
  ) async {
    do {
      let store = testStore(exhaustivity, busy, endless)
      await store.send(Counter.load) { $0.isLoading = true }
    }
    #expect(failures.count == count)
  }

  @Test func `T2: not exhaustive, send and finish pass over actions and effects`() async {
    let store = testStore(.off, busy, endless)
    await store.send(Counter.load) { $0.isLoading = true }
    await store.send(Counter.increment) { $0.count = 9 }
    #expect(store.state.count == 9)
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T2: not exhaustive, receive skips to the action that it names`() async {
    let store = testStore(.off, busy)
    await store.send(Counter.load)
    await store.receive(Counter.loaded(7)) { $0.count = 7 }
    #expect(store.state == CounterState(count: 7))
    await store.receive(Counter.increment) { $0.count = 8 }
    #expect(store.state == CounterState(count: 8))
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T2: not exhaustive, an action that does not come fails with those that came`() async {
    let store = testStore(.off, busy)
    await store.send(Counter.load, fileID: "T/T.swift", line: 12)
    await store.receive(Counter.loaded(7))

    await store.receive(Counter.loaded(8))

    #expect(failures.count == 1)
    let failure = failures.values.first ?? ""
    #expect(
      failure.hasPrefix(
        """
        No action is coming: no effect is running and nothing is queued. Expected loaded(8).
        Other actions came:
          increment, sent as dispatch #6 at
        """))
    #expect(failure.hasSuffix("and was it perhaps cancelled?"))
    await store.finish()
  }

  @Test func `T2: not exhaustive, only the parts that the closure sets are asserted`() async {
    let store = testStore()
    // The action sets count and isLoading; the test sets one.
    await store.send(Counter.load)
    await store.send(Counter.loaded(3)) { $0.count = 3 }
    await store.send(Counter.load) { _ in }
    await store.send(Counter.loaded(5)) { $0.count += 2 }
    #expect(failures.values == [])

    await store.send(Counter.load) { $0.count = 4 }
    await store.send(Counter.load) { $0.isLoading = false }
    #expect(
      failures.values == [
        """
        load made another change than expected:
          count: expected 4, got 5
        The closure starts from the state before the action; let it describe what the action makes \
        of it.
        """,
        """
        load made another change than expected:
          isLoading: expected false, got true
        The closure starts from the state before the action; let it describe what the action makes \
        of it.
        """,
      ])
    // What stays as it was is an expectation too, where the closure sets it.
    await store.send(Counter.loaded(6)) { $0.isLoading = true }
    #expect(failures.count == 3)
    await store.finish()
  }

  @Test func `T2: not exhaustive, a part is not taken for another whose name begins like it`() async
  {
    struct Parts: Equatable, Sendable {
      var part = 0
      var parts = [0, 0]
    }
    struct Change: Action {}
    let failures = failures
    let reducer = Reducer<Parts>.on(Change.self) { parts, _ in
      parts = Parts(part: 1, parts: [2, 3])
    }
    let store = TestStore(
      initialState: BoxedValue(Parts()), reducer: reducer, middleware: [], exhaustivity: .off,
      limit: .seconds(60), report: { text, _ in failures.record(text) },
      creation: TestLocation("T/T.swift", "T", 1, 1))
    await store.send(Change()) { $0.part = 1 }
    await store.send(Change()) { $0.parts[1] = 3 }
    #expect(failures.values == [])
    await store.send(Change()) { $0.parts[1] = 4 }
    #expect(
      failures.values.first?.hasPrefix(
        """
        Change() made another change than expected:
          parts[1]: expected 4, got 3
        The closure
        """) == true)
    #expect(failures.count == 1)
  }
}
