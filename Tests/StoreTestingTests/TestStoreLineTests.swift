import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@testable import StoreTesting

/// Where failures are reported that no line of the test made by itself, and those of effects.
@Suite(.timeLimit(.minutes(5)))
struct TestStoreLineTests {
  struct Broken: Error {}
  struct Failure: Equatable, Sendable {
    var start: String
    var line: Int

    init(_ start: String, line: Int) { (self.start, self.line) = (start, line) }
  }

  let failures = Recorder<Failure>()

  /// As a helper of a test suite makes stores: in one place for all tests.
  func testStore(_ items: MiddlewareItem...) -> TestStore<CounterState> {
    let failures = failures
    return TestStore(
      initialState: BoxedValue(CounterState()), reducer: counterReducer,
      middleware: [createMiddleware(items: items)], limit: .seconds(10),
      report: { text, location in
        failures.record(
          Failure(text.split(separator: "\n").first.map(String.init) ?? "", line: location.line))
      }, creation: TestLocation("T/T.swift", "T", 1, 1))
  }

  /// Sends once, and once more when told.
  func twice(_ gate: Gate) -> MiddlewareItem {
    .effect(on: Counter.load) { effect in
      effect.dispatch(Counter.increment)
      await gate.wait()
      effect.dispatch(Counter.increment)
    }
  }

  @Test func `T2: what is missed at release is reported at the latest send`() async {
    do {
      let store = testStore(loadCount { 3 })
      await store.send(Counter.increment, { $0.count = 1 }, line: 11)
      await store.send(Counter.load, { $0.isLoading = true }, line: 12)
    }
    #expect(failures.values == [Failure("1 action is not received:", line: 12)])
  }

  @Test func `T2: what is missed at release is reported at the latest receive`() async {
    do {
      let store = testStore(twice(Gate()))
      await store.send(Counter.load, { $0.isLoading = true }, line: 12)
      await store.receive(Counter.increment, { $0.count = 1 }, line: 13)
    }
    #expect(failures.values == [Failure("1 effect is still running:", line: 13)])

    do {
      let store = testStore(twice(Gate()))
      await store.send(Counter.load, { $0.isLoading = true }, line: 12)
      await store.receive(Counter.self, { $0.count = 1 }, line: 14)
    }
    #expect(failures.values.last == Failure("1 effect is still running:", line: 14))
  }

  @Test func `T2: what is missed at release is reported at the latest finish`() async {
    let delayed = Recorder<@Sendable () -> Void>()
    let failures = failures
    do {
      let delays = Middleware<CounterState> { action, _, next in
        delayed.record { next(action) }
        return .swallowed
      }
      let store = TestStore(
        initialState: BoxedValue(CounterState()), reducer: counterReducer, middleware: [delays],
        limit: .seconds(10), report: { text, at in failures.record(Failure(text, line: at.line)) },
        creation: TestLocation("T/T.swift", "T", 1, 1))
      await store.send(Counter.increment, line: 12)
      await store.finish(line: 13)
      delayed.values[0]()
    }
    #expect(failures.values.map(\.line) == [13])
  }

  @Test func `T2: a failed effect is received as an action, and told nobody else`() async {
    let store = testStore(.effect(on: Counter.load, name: "broken") { _ in throw Broken() })

    await store.send(Counter.load) { $0.isLoading = true }
    await store.receive(
      EffectFailed.self, where: { $0.name == "broken" && $0.error is Broken })
    await store.finish()

    #expect(failures.values == [])
  }

  @Test func `T2: a failed effect that nobody received is one failure`() async {
    let texts = Recorder<String>()
    do {
      let broken = MiddlewareItem.effect(on: Counter.load, name: "broken") { _ in throw Broken() }
      let store = TestStore(
        initialState: BoxedValue(CounterState()), reducer: counterReducer,
        middleware: [createMiddleware(items: [broken])], limit: .seconds(10),
        report: { text, _ in texts.record(text) }, creation: TestLocation("T/T.swift", "T", 1, 1))
      await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)
      await store.finish()
    }

    #expect(
      texts.values == [
        """
        1 action is not received:
          EffectFailed(name: broken, key: nil, origin: dispatch #1 at T/T.swift:12, attempt: 1, \
        error: StoreTestingTests.TestStoreLineTests.Broken()), sent as dispatch #2 at \
        T/T.swift:12, from effect ‘broken’
        Assert them in this order with `receive`.
        """
      ])
  }

  @Test func `T2: what the store diagnoses is reported at the latest line`() async {
    // Given an effect that handles failures and fails itself, when told
    let gate = Gate()
    let store = testStore(
      .effect(on: Counter.load, name: "broken") { _ in throw Broken() },
      .effect(on: EffectFailed.self, name: "handler") { _, _ in
        await gate.wait()
        throw Broken()
      })
    await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)
    await store.receive(EffectFailed.self, line: 13)

    gate.open()
    await store.finish(line: 14)

    #expect(failures.count == 1)
    let failure = failures.values.first
    #expect(failure?.line == 14)
    #expect(failure?.start.hasPrefix("The effect ‘handler’ (from dispatch #2 at ") == true)
  }

  @Test func `T6: what is missed at release is an issue of the running test, at its line`() async {
    func makeStore() -> TestStore<CounterState> {
      TestStore(
        initialState: CounterState(), reducer: counterReducer,
        middleware: [createMiddleware(items: [loadCount { 3 }])])
    }
    let line = #line + 3
    await withKnownIssue {
      let store = makeStore()
      await store.send(Counter.load) { $0.isLoading = true }
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.comments.contains { $0.rawValue.hasPrefix("1 action is not received:") }
    }
  }
}
