import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@testable import StoreTesting

@Suite(.timeLimit(.minutes(5)))
struct TestStoreTests {
  let failures = Recorder<String>()

  func testStore(
    limit: Duration = .seconds(10), _ middleware: [Middleware<CounterState>]
  ) -> TestStore<CounterState> {
    TestStore(
      initialState: BoxedValue(CounterState()), reducer: counterReducer, middleware: middleware,
      limit: limit, report: { text, _ in failures.record(text) },
      creation: TestLocation("T/T.swift", "T", 1, 1))
  }

  @Test func `T1: send and receive assert the exact change`() async {
    let store = testStore([createMiddleware(items: [loadCount { 3 }])])

    await store.send(Counter.load) { $0.isLoading = true }
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await store.finish()

    #expect(failures.values.isEmpty)
    #expect(store.state == CounterState(count: 3))
  }

  @Test func `T1: actions of effects are reduced at once, and seen one step at a time`() async {
    let twice = MiddlewareItem.effect(on: Counter.load) { effect in
      effect.dispatch(Counter.increment)
      effect.dispatch(Counter.increment)
    }
    let store = testStore([createMiddleware(items: [twice])])

    await store.send(Counter.load) { $0.isLoading = true }
    await store.receive(Counter.increment) { $0.count = 1 }
    await store.receive(Counter.increment) { $0.count = 2 }
    await store.finish()

    #expect(failures.values.isEmpty)
  }

  @Test func `T1: an action without Equatable is received by type and predicate`() async {
    struct Loaded: Action { var count: Int }
    let effect = MiddlewareItem.effect(on: Counter.load) { $0.dispatch(Loaded(count: 7)) }
    let store = testStore([createMiddleware(items: [effect])])

    await store.send(Counter.load) { $0.isLoading = true }
    await store.receive(Loaded.self, where: { $0.count == 7 })
    await store.finish()

    #expect(failures.values.isEmpty)
  }

  @Test func `T1: an action that a link kept changes nothing`() async {
    let swallow = Middleware<CounterState> { _, _, _ in .swallowed }
    let store = testStore([swallow])

    await store.send(Counter.increment)
    await store.finish()

    #expect(failures.values.isEmpty)
  }

  @Test func `T1: an action that a link kept fails where a change was expected`() async {
    let store = testStore([Middleware { _, _, _ in .swallowed }])

    await store.send(Counter.increment) { $0.count = 1 }
    await store.finish()

    #expect(
      failures.values == [
        """
        increment did not reach the reducer, and a change was expected: a link of the chain kept it.
        If the link passes it on later, `receive` it and describe the change there.
        """
      ])
  }

  @Test func `T1: an action that a link passes on later is received then`() async {
    let delayed = Recorder<@Sendable () -> Void>()
    let delays = Middleware<CounterState> { action, _, next in
      delayed.record { next(action) }
      return .swallowed
    }
    let store = testStore([delays])

    await store.send(Counter.increment)
    delayed.values[0]()
    await store.receive(Counter.increment) { $0.count = 1 }
    await store.finish()

    #expect(failures.values == [])
  }

  @Test func `T1: an action is asserted also when a link sent another before it`() async {
    struct Noted: Action {}
    let noting = Middleware<CounterState> { action, context, next in
      if !(action is Noted) { context.dispatch(Noted()) }
      return next(action)
    }
    let store = testStore([noting])

    await store.send(Counter.increment) { $0.count = 1 }
    await store.receive(Noted.self)
    await store.send(Counter.increment) { $0.count = 2 }
    await store.receive(Noted.self)
    await store.finish()

    #expect(failures.values == [])
  }

  @Test func `T1: an action is asserted also when an effect sent another before it`() async {
    // Given an effect that sends while the next action of the test is on its way to the reducer
    let (gate, running) = (Gate(), Recorder<EffectContext>())
    let runs = MiddlewareItem.effect(on: Counter.load) { effect in
      running.record(effect)
      await gate.wait()
    }
    let sendsMeanwhile = Middleware<CounterState> { action, _, next in
      if action as? Counter == .increment { running.values[0].dispatch(Counter.loaded(3)) }
      return next(action)
    }
    let store = testStore([sendsMeanwhile, createMiddleware(items: [runs])])
    await store.send(Counter.load) { $0.isLoading = true }

    // When
    await store.send(Counter.increment) {
      #expect($0 == CounterState(count: 3))
      $0.count = 4
    }
    #expect(store.state == CounterState(count: 4))

    // Then what came before it is still to be received, against the state it found itself
    await store.receive(Counter.loaded(3)) {
      #expect($0 == CounterState(isLoading: true))
      $0 = CounterState(count: 3)
    }
    #expect(store.state == CounterState(count: 4))
    gate.open()
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T1: what came before an action and nobody received fails, and that action not`()
    async throws
  {
    struct Noted: Action {}
    let noting = Middleware<CounterState> { action, context, next in
      if !(action is Noted) { context.dispatch(Noted()) }
      return next(action)
    }
    let store = testStore([noting])

    await store.send(Counter.increment) { $0.count = 1 }
    await store.finish()

    #expect(failures.count == 1)
    let failure = try #require(failures.values.first)
    #expect(failure.hasPrefix("1 action is not received:\n  Noted(), sent as dispatch #2 at "))
    #expect(failure.hasSuffix(", while handling #1\nAssert them in this order with `receive`."))
  }

  @Test func `T1: of an action that a link passes on twice, the second is received`() async {
    let twice = Middleware<CounterState> { action, _, next in
      next(action)
      return next(action)
    }
    let store = testStore([twice])

    await store.send(Counter.increment) { $0.count = 1 }
    await store.receive(Counter.increment) { $0.count = 2 }
    await store.finish()

    #expect(failures.values == [])
  }

  @Test func `T1: another change than described fails with each difference`() async {
    let store = testStore([])

    await store.send(Counter.increment) { $0 = CounterState(count: 5, isLoading: true) }

    #expect(
      failures.values == [
        """
        increment made another change than expected:
          count: expected 5, got 1
          isLoading: expected true, got false
        The closure starts from the state before the action; let it describe what the action makes \
        of it.
        """
      ])
    await store.finish()
  }

  @Test func `T1: a change that was not described fails`() async {
    let store = testStore([])

    await store.send(Counter.increment)

    #expect(
      failures.values == [
        """
        increment changed the state, and no change was expected:
          count: expected 0, got 1
        If the change is right, describe it: `send(…) { $0.… = … }`.
        """
      ])
    await store.finish()
  }

  @Test func `T1: a change that did not happen fails`() async {
    struct Unknown: Action {}
    let store = testStore([])

    await store.send(Unknown()) { $0.count = 1 }

    #expect(
      failures.values == [
        """
        Unknown() changed nothing, and a change was expected:
          count: expected 1, got 0
        Does a reducer handle this action, and was it scoped to the right part of the state?
        """
      ])
    await store.finish()
  }

  @Test func `T1: another action than expected fails with where it came from`() async throws {
    let store = testStore([createMiddleware(items: [loadCount { 3 }])])
    await store.send(Counter.load) { $0.isLoading = true }

    await store.receive(Counter.loaded(4)) { $0 = CounterState(count: 4) }

    let failure = try #require(failures.values.first)
    #expect(
      failure.hasPrefix("Received loaded(3), expected loaded(4).\nIt was sent as dispatch #2 at "))
    #expect(failure.contains("from effect ‘loadCount’"))
    #expect(store.state == CounterState(count: 3))
    await store.finish()
  }

  @Test func `T3: when nothing more can happen, receive says so at once`() async {
    let store = testStore(limit: .seconds(3600), [])
    await store.send(Counter.load) { $0.isLoading = true }

    await store.receive(Counter.loaded(3))

    #expect(
      failures.values == [
        """
        No action is coming: no effect is running and nothing is queued. Expected loaded(3).
        Was the effect given to the store, does it handle the action that was sent, and was it \
        perhaps cancelled?
        """
      ])
    await store.finish()
  }

  @Test func `T3: an effect that never answers fails after the limit`() async {
    let gate = Gate()
    let store = testStore(
      limit: .milliseconds(20),
      [
        createMiddleware(items: [
          loadCount {
            await gate.wait()
            return 3
          }
        ])
      ])
    await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)

    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }

    #expect(
      failures.values == [
        """
        No action came within 0.02 seconds. Expected loaded(3).
        1 effect is still running:
          ‘loadCount’ (from send at T/T.swift:12) waits for something outside the library
        Give the effect a service that answers at once, or the TestStore a longer `limit`.
        """
      ])
    gate.open()
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await store.finish()
  }

  @Test func `T6: a failure is an issue of the running test, at its line`() async {
    let store = TestStore(initialState: CounterState(), reducer: counterReducer)

    await withKnownIssue {
      await store.send(Counter.increment)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("count: expected 0, got 1") }
    }
    await store.finish()
  }
}
