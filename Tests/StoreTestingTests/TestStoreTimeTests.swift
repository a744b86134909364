import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@testable import StoreTesting

/// A store for tests and its clock: what runs when, and what is said when nothing more can.
@Suite(.timeLimit(.minutes(5)))
struct TestStoreTimeTests {
  let failures = Recorder<String>()

  /// The limit is longer than the test may take: who waits for it fails.
  func testStore(
    limit: Duration = .seconds(3600), clock: TestClock = TestClock(), _ items: MiddlewareItem...
  ) -> TestStore<CounterState> {
    TestStore(
      initialState: BoxedValue(CounterState()), reducer: counterReducer,
      middleware: [createMiddleware(items: items)], clock: clock, limit: limit,
      report: { text, _ in failures.record(text) }, creation: TestLocation("T/T.swift", "T", 1, 1))
  }

  /// Answers after three seconds.
  let slow = MiddlewareItem.effect(on: Counter.load, .latest, name: "slow") { effect in
    try await effect.sleep(for: .seconds(3))
    effect.dispatch(Counter.loaded(3))
  }

  @Test func `T4: an effect that sleeps goes on when the clock is advanced`() async {
    let store = testStore(slow)
    await store.send(Counter.load) { $0.isLoading = true }
    await store.clock.advance(by: .milliseconds(2_999))
    #expect(store.unreceived.isEmpty)
    await store.clock.advance(by: .milliseconds(1))
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T3: receive says at once of a sleeping effect what it waits for and what to do`()
    async
  {
    let item = MiddlewareItem.effect(
      on: Counter.self, key: { action in "\(action)" }, .latest, name: "slow"
    ) { _, effect in try await effect.sleep(for: .seconds(3)) }
    let store = testStore(item)
    await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)
    await store.clock.advance(by: .milliseconds(500))

    await store.receive(Counter.loaded(3))

    #expect(
      failures.values == [
        """
        No action is coming: effect ‘slow’ (key load, from send at T/T.swift:12), 0.5 s old, \
        sleeps until +3 s.
        Expected loaded(3).
        Advance the clock: `await store.clock.advance(by: .milliseconds(2500))`.
        """
      ])
    await store.clock.run()
    await store.finish()
  }

  @Test func `T3: of several effects that wait each is named`() async {
    struct Other: Action {}
    let takes = MiddlewareItem.effect(on: Counter.load, name: "takes") { effect in
      _ = try await effect.take(Other.self)
    }
    let store = testStore(slow, takes)
    await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)

    await store.receive(Counter.loaded(3))

    #expect(
      failures.values == [
        """
        No action is coming: 2 effects wait.
          ‘slow’ (from send at T/T.swift:12) sleeps until +3 s
          ‘takes’ (from send at T/T.swift:12) waits for an action Other
        Expected loaded(3).
        Advance the clock: `await store.clock.advance(by: .seconds(3))`.
        """
      ])
    store.cancelEffects(.all)
  }

  @Test func `T3: of an effect that takes an action it is said that it is to be sent`() async {
    struct Other: Action {}
    let takes = MiddlewareItem.effect(on: Counter.load, name: "takes") { effect in
      _ = try await effect.take(Other.self)
    }
    let store = testStore(takes)
    await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)

    await store.receive(Counter.loaded(3))

    #expect(
      failures.values == [
        """
        No action is coming: effect ‘takes’ (from send at T/T.swift:12) waits for an action Other.
        Expected loaded(3).
        Send the action that is waited for: `await store.send(…)`.
        """
      ])
    await store.send(Other())
    await store.finish()
    #expect(failures.count == 1)
  }

  @Test func `T3: finish says at once of a sleeping effect that it does not end by itself`() async {
    do {
      let store = testStore(slow)
      await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)
      await store.finish()
    }
    #expect(
      failures.values == [
        """
        The store cannot finish by itself: effect ‘slow’ (from send at T/T.swift:12) sleeps until \
        +3 s.
        Advance the clock: `await store.clock.advance(by: .seconds(3))`. Or cancel it: \
        `cancelEffects(.named("slow"))`.
        """
      ])
  }

  @Test func `T3: a call that sleeps on the clock of the test is known to sleep`() async {
    let clock = TestClock()
    await clock.advance(by: .seconds(10))
    let calls = MiddlewareItem.effect(on: Counter.load, name: "calls") { effect in
      try await clock.sleep(for: .seconds(2))
      effect.dispatch(Counter.loaded(3))
    }
    let store = testStore(clock: clock, calls)
    await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)

    await store.receive(Counter.loaded(3))

    #expect(
      failures.values == [
        """
        No action is coming: effect ‘calls’ (from send at T/T.swift:12) sleeps until +2 s.
        Expected loaded(3).
        Advance the clock: `await store.clock.advance(by: .seconds(2))`.
        """
      ])
    await clock.advance(by: .seconds(2))
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await store.finish()
    #expect(failures.count == 1)
  }

  @Test func `T3: an effect that sleeps does not speak for that of another store`() async {
    // Given two stores that share a clock, whose first runs have one number
    let (clock, gate) = (TestClock(), Gate())
    let sleeps = MiddlewareItem.effect(on: Counter.load) { _ in
      try await clock.sleep(for: .seconds(2))
    }
    let waits = loadCount {
      await gate.wait()
      return 3
    }
    let (first, second) = (testStore(clock: clock, sleeps), testStore(clock: clock, waits))
    await first.send(Counter.load) { $0.isLoading = true }
    await second.send(Counter.load) { $0.isLoading = true }

    // When the gate opens while the test waits for the second
    async let opened: Void = runOnThread { gate.open() }
    await second.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await opened

    await clock.advance(by: .seconds(2))
    await first.finish()
    await second.finish()
    #expect(failures.values == [])
  }

  @Test func `T3: a child that sleeps does not speak for its siblings, which are waited for`() async
  {
    // Given a body that awaits a child on the clock and one that a gate holds
    let (clock, gate) = (TestClock(), Gate())
    let calls = MiddlewareItem.effect(on: Counter.load, name: "calls") { effect in
      await withTaskGroup { group in
        group.addTask { try? await clock.sleep(for: .seconds(2)) }
        group.addTask {
          await gate.wait()
          effect.dispatch(Counter.loaded(3))
        }
      }
    }
    let store = testStore(clock: clock, calls)
    await store.send(Counter.load) { $0.isLoading = true }

    // When the gate opens while the test waits
    async let opened: Void = runOnThread { gate.open() }
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await opened

    await clock.advance(by: .seconds(2))
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T3: what comes back from another thread is waited for`() async {
    let gate = Gate()
    let store = testStore(
      loadCount {
        await gate.wait()
        return 3
      })
    await store.send(Counter.load) { $0.isLoading = true }
    async let opened: Void = runOnThread { gate.open() }
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await opened
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T3: what a task sends that left the executor for good is waited for`() async {
    let gate = Gate()
    let leaves = MiddlewareItem.effect(on: Counter.load) { effect in
      await Task.detached {
        await gate.wait()
        effect.dispatch(Counter.loaded(3))
      }.value
    }
    let store = testStore(leaves)
    await store.send(Counter.load) { $0.isLoading = true }
    async let opened: Void = runOnThread { gate.open() }
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await opened
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T3: a link on another thread is waited for until it has kept the action`() async {
    // Given an action that one link delays, and then another holds up on a thread of its own
    let delayed = Recorder<@Sendable () -> Void>()
    let (held, gate) = (Gate(), ThreadGate())
    let delays = Middleware<CounterState> { action, _, next in
      delayed.record { next(action) }
      return .swallowed
    }
    let holds = Middleware<CounterState> { _, _, _ in
      held.open()
      gate.wait()
      return .swallowed
    }
    let store = TestStore(
      initialState: BoxedValue(CounterState()), reducer: counterReducer,
      middleware: [delays, holds], limit: .seconds(3600),
      report: { text, _ in failures.record(text) }, creation: TestLocation("T/T.swift", "T", 1, 1))
    await store.send(Counter.increment)
    async let passedOn: Void = runOnThread { delayed.values[0]() }
    await held.wait()

    // When it keeps the action while the test waits
    async let opened: Void = runOnThread { gate.open() }
    await store.receive(Counter.increment)

    // Then the test is told as soon as that is known
    _ = await (passedOn, opened)
    #expect(failures.count == 1)
    #expect(failures.values.first?.hasPrefix("No action is coming: no effect is running") == true)
    await store.finish()
  }

  @Test func `T3: an effect that goes to the main actor and back is waited for`() async {
    let store = testStore(loadCount { await onMainActor() })
    await store.send(Counter.load) { $0.isLoading = true }
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T3: effects that never come to rest fail instead of hanging`() async {
    let gate = Gate()
    let spins = MiddlewareItem.effect(on: Counter.load, name: "spins") { _ in
      while !gate.isOpen { await Task.yield() }
    }
    let store = testStore(limit: .milliseconds(20), spins)

    await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)

    #expect(
      failures.values == [
        """
        The effects have not come to rest within 0.02 seconds: one goes on and on without waiting.
        1 effect is still running:
          ‘spins’ (from send at T/T.swift:12) waits for something outside the library
        An effect that does something again and again waits in between: \
        `try await effect.sleep(for: …)`.
        """
      ])
    gate.open()
    await store.finish()
    #expect(failures.count == 1)
  }

  @Test func `T3: an action of a background effect is waited for, and its sleep is told`() async {
    let item = MiddlewareItem.effect(on: Counter.load, name: "listens") { effect in
      try await effect.sleep(for: .seconds(1))
      effect.dispatch(Counter.increment)
    }.background()
    let store = testStore(item)
    await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)
    await store.receive(Counter.increment)
    #expect(
      failures.values == [
        """
        No action is coming: effect ‘listens’ (from send at T/T.swift:12), in the background, \
        sleeps until +1 s.
        Expected increment.
        Advance the clock: `await store.clock.advance(by: .seconds(1))`.
        """
      ])
    await store.clock.run()
    await store.receive(Counter.increment) { $0.count = 1 }
    await store.finish()
    #expect(failures.count == 1)
  }

  @Test func `T1: after send the effects have gone on as far as they can`() async {
    actor Service {
      var calls = 0
      func call() { calls += 1 }
    }
    let (service, reached) = (Service(), Gate())
    let store = testStore(
      loadCount {
        await service.call()
        await Task.yield()
        await service.call()
        reached.open()
        return 3
      })
    await store.send(Counter.load) { $0.isLoading = true }
    #expect(reached.isOpen)
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T5: two stores that share a clock advance together`() async {
    let clock = TestClock()
    let (first, second) = (testStore(clock: clock, slow), testStore(clock: clock, slow))
    await first.send(Counter.load) { $0.isLoading = true }
    await clock.advance(by: .seconds(1))
    await second.send(Counter.load) { $0.isLoading = true }
    await clock.advance(by: .seconds(2))
    await first.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    #expect(second.unreceived.isEmpty)
    await second.receive(Counter.loaded(3))
    #expect(failures.count == 1)
    #expect(failures.values.last?.contains(", 2 s old, sleeps until +4 s.") == true)
    await clock.advance(by: .seconds(1))
    await second.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await first.finish()
    await second.finish()
    #expect(failures.count == 1)
  }

  @Test func `T2: what is cancelled by the release of the store ends without anybody running it`()
    async
  {
    let (gate, ended) = (Gate(), Recorder<String>())
    do {
      let store = testStore(
        .effect(on: Counter.load) { effect in
          try? await effect.sleep(for: .seconds(3))
          ended.record("asleep")
        },
        .effect(on: Counter.load) { _ in
          await Task.detached { _ = await gate.wait() }.value
          await Task.yield()
          ended.record("outside")
        })
      await store.send(Counter.load) { $0.isLoading = true }
    }
    #expect(ended.values == ["asleep"])
    gate.open()
    #expect(await ended.waitForCount(2) == ["asleep", "outside"])
    #expect(failures.count == 1)
  }
}

@MainActor private func onMainActor() -> Int { 3 }
