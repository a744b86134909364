import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@testable import StoreTesting

/// What a test is told of actions that it missed and of effects that go on.
@Suite(.timeLimit(.minutes(5)))
struct TestStoreEndTests {
  let failures = Recorder<String>()

  func testStore(
    limit: Duration = .seconds(10), _ middleware: [Middleware<CounterState>]
  ) -> TestStore<CounterState> {
    TestStore(
      initialState: BoxedValue(CounterState()), reducer: counterReducer, middleware: middleware,
      limit: limit, report: { text, _ in failures.record(text) },
      creation: TestLocation("T/T.swift", "T", 1, 1))
  }

  /// An effect that runs until it is cancelled.
  func forever(ended: Gate = Gate()) -> MiddlewareItem {
    .effect(on: Counter.load, .latest) { _ in
      await Gate().wait()
      ended.open()
    }
  }

  @Test func `T2: an action that nobody received fails at the next send and at finish`() async {
    let store = testStore([createMiddleware(items: [loadCount { 3 }])])

    await store.send(Counter.load) { $0.isLoading = true }
    await store.send(Counter.increment) { $0.count = 4 }
    #expect(failures.values.count == 1)
    #expect(
      failures.values.last?.hasPrefix("1 action is not received:\n  loaded(3), sent as ") == true)

    await store.send(Counter.load) { $0.isLoading = true }
    await store.finish()
    #expect(failures.values.count == 2)
  }

  @Test func `T2: a store released with actions nobody received fails`() async {
    do {
      let store = testStore([createMiddleware(items: [loadCount { 3 }])])
      await store.send(Counter.load) { $0.isLoading = true }
    }

    #expect(failures.values.count == 1)
    #expect(failures.values.last?.hasPrefix("1 action is not received:") == true)
  }

  @Test func `T2: an action that came after finish and nobody received fails`() async {
    do {
      let store = testStore([createMiddleware(items: [loadCount { 3 }])])
      await store.finish()
      await store.send(Counter.load) { $0.isLoading = true }
    }
    #expect(failures.count == 1)
    #expect(failures.values.last?.hasPrefix("1 action is not received:\n  loaded(3), ") == true)
  }

  @Test func `T2: an action that a link passed on after finish fails at release`() async {
    let delayed = Recorder<@Sendable () -> Void>()
    do {
      let delays = Middleware<CounterState> { action, _, next in
        delayed.record { next(action) }
        return .swallowed
      }
      let store = testStore([delays])
      await store.send(Counter.increment)
      await store.finish()
      delayed.values[0]()
    }
    #expect(failures.count == 1)
    #expect(failures.values.last?.hasPrefix("1 action is not received:\n  increment, ") == true)
  }

  @Test func `T2: a store released while an effect runs names it and cancels it`() async {
    let ended = Gate()
    do {
      let store = testStore([createMiddleware(items: [forever(ended: ended)])])
      await store.send(
        Counter.load, { $0.isLoading = true }, fileID: "MyTests/T.swift", line: 12)
    }

    await ended.wait()
    #expect(
      failures.values == [
        """
        1 effect is still running:
          ‘forever’ (from send at MyTests/T.swift:12) waits for something outside the library
        Await `finish()` to let it end, or cancel it: `cancelEffects(.named("forever"))`.
        """
      ])
  }

  @Test func `T2: several effects are named in the order they started, with their keys`() async {
    do {
      let about = MiddlewareItem.effect(
        on: Counter.self, key: { action in "\(action)" }, .latest, name: "about"
      ) { _, _ in await Gate().wait() }
      let store = testStore([
        createMiddleware(items: [
          about, .effect(on: Counter.load, name: "poll") { _ in await Gate().wait() },
        ])
      ])
      await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)
      await store.send(Counter.increment, { $0.count = 1 }, fileID: "T/T.swift", line: 13)
    }

    #expect(
      failures.values == [
        """
        3 effects are still running:
          ‘about’ (key load, from send at T/T.swift:12) waits for something outside the library
          ‘poll’ (from send at T/T.swift:12) waits for something outside the library
          ‘about’ (key increment, from send at T/T.swift:13) waits for something outside the library
        Await `finish()` to let them end, or cancel them: `cancelEffects(.all)`.
        """
      ])
  }

  @Test func `T2: finish tells of an effect that does not end, and does so once`() async {
    do {
      let store = testStore(
        limit: .milliseconds(20), [createMiddleware(items: [forever()])])
      await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)
      await store.finish()
    }

    #expect(
      failures.values == [
        """
        The store has not finished within 0.02 seconds.
        1 effect is still running:
          ‘forever’ (from send at T/T.swift:12) waits for something outside the library
        Let it end, give the TestStore a longer `limit`, or cancel it: \
        `cancelEffects(.named("forever"))`.
        """
      ])
  }

  @Test func `T2: what started after a finish that failed is told at release`() async {
    do {
      let store = testStore(
        limit: .milliseconds(20), [createMiddleware(items: [forever()])])
      await store.send(Counter.load) { $0.isLoading = true }
      await store.finish()
      await store.send(Counter.load, fileID: "T/T.swift", line: 13)
    }

    #expect(failures.count == 2)
    #expect(
      failures.values.last?.hasPrefix(
        """
        1 effect is still running:
          ‘forever’ (from send at T/T.swift:13) waits for something outside the library
        """) == true)
  }

  @Test func `T2: finish tells of a cancelled effect whose body goes on`() async {
    let (gate, ended) = (Gate(), Gate())
    do {
      let deaf = MiddlewareItem.effect(on: Counter.load, .latest) { _ in
        // A task of its own is not cancelled with the effect.
        await Task { _ = await gate.wait() }.value
        ended.open()
      }
      let store = testStore(limit: .milliseconds(20), [createMiddleware(items: [deaf])])
      await store.send(Counter.load) { $0.isLoading = true }
      await store.send(Counter.load)
      store.cancelEffects(.all)
      await store.finish()
    }

    #expect(
      failures.values == [
        """
        The store has not finished within 0.02 seconds.
        2 effects are still running:
          2 that were cancelled, whose bodies have not returned
        A body ends when it asks whether it was cancelled: `try Task.checkCancellation()`.
        """
      ])
    gate.open()
    await ended.wait()
  }

  @Test func `T2: finish tells of a link that does not return`() async {
    // Given an action that one link delays, and then another link holds up on a thread of its own
    let delayed = Recorder<@Sendable () -> Void>()
    let (held, gate) = (Gate(), ThreadGate())
    let delays = Middleware<CounterState> { action, _, next in
      delayed.record { next(action) }
      return .swallowed
    }
    let holds = Middleware<CounterState> { action, _, next in
      held.open()
      gate.wait()
      return next(action)
    }
    let store = testStore(limit: .milliseconds(20), [delays, holds])
    await store.send(Counter.increment)
    async let passedOn: Void = runOnThread { delayed.values[0]() }
    await held.wait()

    // When
    await store.finish()

    // Then
    #expect(
      failures.values == [
        """
        The store has not finished within 0.02 seconds.
        No effect is running, but a link of the chain or an item has not returned.
        Neither may wait for anything: that is the work of an effect.
        """
      ])
    gate.open()
    await passedOn
    await store.receive(Counter.increment) { $0.count = 1 }
    #expect(failures.count == 1)
  }

  @Test func `T2: a poll is ended by cancelling its effect`() async {
    let ended = Gate()
    let poll = MiddlewareItem.effect(on: Counter.load, name: "poll") { effect in
      effect.dispatch(Counter.increment)
      await Gate().wait()
      effect.dispatch(Counter.increment)
      ended.open()
    }
    do {
      let store = testStore([createMiddleware(items: [poll])])
      await store.send(Counter.load) { $0.isLoading = true }
      await store.receive(Counter.increment) { $0.count = 1 }
      store.cancelEffects(.named("poll"))
      await store.finish()
      #expect(ended.isOpen)
      #expect(store.state == CounterState(count: 1, isLoading: true))
    }
    #expect(failures.values == [])
  }

  @Test func `T2: only the effects selected are cancelled`() async {
    do {
      let store = testStore([
        createMiddleware(items: [
          forever(), .effect(on: Counter.load, name: "poll") { _ in await Gate().wait() },
        ])
      ])
      await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)
      store.cancelEffects(.named("poll"))
    }
    #expect(
      failures.values == [
        """
        1 effect is still running:
          ‘forever’ (from send at T/T.swift:12) waits for something outside the library
        Await `finish()` to let it end, or cancel it: `cancelEffects(.named("forever"))`.
        """
      ])
  }

  @Test func `T2: a store may be released while the body of a cancelled effect goes on`() async {
    let (gate, ended) = (Gate(), Gate())
    do {
      let deaf = MiddlewareItem.effect(on: Counter.load) { _ in
        await Task { _ = await gate.wait() }.value
        ended.open()
      }
      let store = testStore([createMiddleware(items: [deaf])])
      await store.send(Counter.load) { $0.isLoading = true }
      store.cancelEffects(.all)
    }
    #expect(failures.values == [])
    gate.open()
    await ended.wait()
  }

  @Test(arguments: [
    (
      1,
      """
      1 effect is still running:
        one that was cancelled, whose body has not returned
      """
    ),
    (0, "No effect is running, but a link of the chain or an item has not returned."),
  ])
  func `T2: a store that is busy says with what`(cancelled: Int, text: String) {
    #expect(Activity(runs: [], cancelled: cancelled, isQuiet: cancelled > 0).description == text)
  }
}
