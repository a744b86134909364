import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@testable import StoreTesting

/// Whether a test is sure that nothing more happens by itself, by what the tasks of an effect do.
@Suite(.timeLimit(.minutes(5)))
struct TestStoreSleepTests {
  let failures = Recorder<String>()
  let clock = TestClock()

  /// The limit is longer than the test may take: who waits for it fails.
  func testStore(limit: Duration = .seconds(3600), _ items: MiddlewareItem...)
    -> TestStore<CounterState>
  {
    TestStore(
      initialState: BoxedValue(CounterState()), reducer: counterReducer,
      middleware: [createMiddleware(items: items)], clock: clock, limit: limit,
      report: { text, _ in failures.record(text) }, creation: TestLocation("T/T.swift", "T", 1, 1))
  }

  fileprivate typealias Call = @Sendable () async throws -> Void

  /// A task of an effect beside one that sleeps for two seconds.
  enum Beside: CaseIterable {
    case fork, forkWhereTheClockIsAsked, childOfFork, contender, contenderOfFork, deafContender
    case asyncLet, childOfGroup, childBesideOneThatSleeps, childInSharedCall, contenderInSharedCall
    case preferring

    fileprivate func run(
      _ call: @escaping Call, _ effect: EffectContext, _ clock: TestClock
    ) async throws {
      let sleep: Call = { try await effect.sleep(for: .seconds(2)) }
      switch self {
      case .fork:
        effect.fork { _ in try await call() }
        try await sleep()
      case .forkWhereTheClockIsAsked:
        effect.fork { _ in try await call() }
        try await clock.sleep(for: .seconds(2))
      case .childOfFork:
        effect.fork { _ in
          async let answer: Void = call()
          try await sleep()
          try await answer
        }
        try await sleep()
      case .contender: try await effect.race(sleep, call)
      case .contenderOfFork:
        effect.fork { effect in try await effect.race(sleep, call) }
        try await sleep()
      case .deafContender:
        try await effect.race(
          { await Task.detached { try? await call() }.value }, {})
      case .asyncLet:
        async let answer: Void = call()
        try await sleep()
        try await answer
      case .childOfGroup:
        try await withThrowingTaskGroup { group in
          group.addTask { try await call() }
          try await sleep()
        }
      case .childBesideOneThatSleeps:
        try await withThrowingTaskGroup { group in
          group.addTask { try await call() }
          group.addTask { try await sleep() }
          try await group.waitForAll()
        }
      case .childInSharedCall:
        try await effect.share {
          async let answer: Void = call()
          try await sleep()
          try await answer
        }
      case .contenderInSharedCall:
        try await effect.share { try await effect.race(sleep, call) }
      case .preferring:
        // It belongs to nobody, but is seen.
        let task = Task(executorPreference: clock.join()) { try await call() }
        clock.leave()
        try await sleep()
        try await task.value
      }
    }
  }

  @Test(arguments: Beside.allCases)
  func `T3: a task that sleeps does not speak for one beside it that waits elsewhere`(
    beside: Beside
  ) async {
    let (gate, clock) = (Gate(), clock)
    let store = testStore(
      .effect(on: Counter.load) { effect in
        try await beside.run(
          {
            await gate.wait()
            effect.dispatch(Counter.increment)
          }, effect, clock)
      })
    await store.send(Counter.load) { $0.isLoading = true }
    #expect(store.activity.mayReceive)

    // When the gate opens while the test waits
    async let opened: Void = runOnThread { gate.open() }
    await store.receive(Counter.increment) { $0.count = 1 }
    await opened

    await store.clock.run()
    await store.finish()
    #expect(failures.values == [])
  }

  /// What sleeps for two seconds in all its tasks.
  enum Asleep: CaseIterable {
    case forks, forksAlone, forkAwaited, forkOnTheClock, contenders, take, timeout, sharedCall
    case sharedCallOnTheClock, sharedCallInCall, contendersInCall, afterAnActor
    case childrenThatSleep

    fileprivate func run(_ effect: EffectContext, _ clock: TestClock) async throws {
      let sleep: Call = { try await effect.sleep(for: .seconds(2)) }
      switch self {
      case .forks:
        for _ in 1...2 { effect.fork { _ in try await sleep() } }
        try await sleep()
      case .forksAlone: for _ in 1...2 { effect.fork { _ in try await sleep() } }
      case .forkAwaited: await effect.fork { _ in try await sleep() }.finish()
      case .forkOnTheClock: effect.fork { _ in try await clock.sleep(for: .seconds(2)) }
      case .contenders: try await effect.race(sleep, { try await clock.sleep(for: .seconds(2)) })
      case .take: _ = try await effect.take(Tick.self, timeout: .seconds(2))
      case .timeout: try? await effect.timeout(after: .seconds(2)) { try await sleep() }
      case .sharedCall: try await effect.share(sleep)
      case .sharedCallOnTheClock:
        try await effect.share { try await clock.sleep(for: .seconds(2)) }
      case .sharedCallInCall:
        try await effect.share(as: 1) { try await effect.share(as: 2, sleep) }
      case .contendersInCall: try await effect.share { try await effect.race(sleep, sleep) }
      case .afterAnActor:
        let service = Service()
        for _ in 1...2 {
          effect.fork { _ in
            await service.call()
            try await sleep()
          }
        }
        await service.call()
        try await sleep()
      case .childrenThatSleep:
        async let nap: Void = sleep()
        try await sleep()
        try await nap
      }
    }
  }

  private actor Service {
    var calls = 0

    func call() async {
      calls += 1
      await Task.yield()
    }
  }

  @Test(arguments: Asleep.allCases)
  func `T3: it is told at once when every task of every effect sleeps`(asleep: Asleep) async {
    let clock = clock
    let store = testStore(
      .effect(on: Counter.load, .latest) { effect in try await asleep.run(effect, clock) },
      .effect(on: Counter.increment) { effect in try await asleep.run(effect, clock) })
    await store.send(Counter.increment) { $0.count = 1 }
    await store.send(Counter.load) { $0.isLoading = true }
    // Another takes the place of the first, and joins its call.
    await store.send(Counter.load)

    await store.receive(Counter.loaded(3))

    #expect(failures.count == 1)
    #expect(failures.values.first?.hasPrefix("No action is coming: 2 effects wait.") == true)
    #expect(failures.values.first?.contains("outside") == false)
    #expect(failures.values.first?.contains("Advance the clock") == true)
    await store.clock.run()
    await store.finish()
    #expect(failures.count == 1)
  }

  @Test func `T3: a timer that has rung is none of the tasks of who set it`() async {
    let store = testStore(
      .effect(on: Counter.load) { effect in
        effect.dispatch(Tick())
        try await effect.sleep(for: .seconds(2))
      },
      .effect(on: Tick.self, .debounce(for: .seconds(1))) { _, _ in })
    await store.send(Counter.load) { $0.isLoading = true }
    await store.receive(Tick())
    await store.clock.advance(by: .seconds(1))
    await store.receive(Counter.loaded(3))
    #expect(failures.count == 1)
    #expect(failures.values.first?.hasPrefix("No action is coming: effect ‘") == true)
    await store.clock.run()
    await store.finish()
    #expect(failures.count == 1)
  }

  @Test func `T3: a shared call that waits elsewhere is waited for, through all who share it`()
    async
  {
    let gate = Gate()
    let store = testStore(
      .effect(on: Counter.load) { effect in
        let count = try await effect.share(as: 1) {
          try await effect.share(as: 2) {
            await gate.wait()
            return 3
          }
        }
        effect.dispatch(Counter.loaded(count))
      })
    for _ in 1...2 { await store.send(Counter.load) { $0.isLoading = true } }
    #expect(store.activity.mayReceive)
    async let opened: Void = runOnThread { gate.open() }
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await store.receive(Counter.loaded(3))
    await opened
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T3: a contender in a call works for the call, also when who made that was replaced`()
    async
  {
    let gate = Gate()
    let store = testStore(
      .effect(on: Counter.load, .latest) { effect in
        let count = try await effect.share {
          try await effect.race(
            {
              try await effect.sleep(for: .seconds(2))
              return 2
            },
            {
              await gate.wait()
              return 3
            })
        }
        effect.dispatch(Counter.loaded(count))
      })
    for _ in 1...2 { await store.send(Counter.load) { $0.isLoading = true } }
    #expect(store.activity.mayReceive)
    async let opened: Void = runOnThread { gate.open() }
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await opened
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T3: who waits for a call that sleeps is told with the time at which it wakes`() async
  {
    let store = testStore(
      .effect(on: Counter.load, .latest, name: "loads") { effect in
        try await effect.share { try await effect.sleep(for: .seconds(3)) }
      })
    await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)
    await store.send(Counter.load, fileID: "T/T.swift", line: 13)
    await store.finish()
    #expect(
      failures.values == [
        """
        The store cannot finish by itself: effect ‘loads’ (from send at T/T.swift:13) waits for a \
        call that it shares.
        Advance the clock: `await store.clock.advance(by: .seconds(3))`. Or cancel it: \
        `cancelEffects(.named("loads"))`.
        """
      ])
    await store.clock.run()
    await store.finish()
    #expect(failures.count == 1)
  }

  @Test func `T3: of a fork that waits elsewhere it is said, beside what the body waits for`() async
  {
    let gate = Gate()
    let store = testStore(
      limit: .milliseconds(20),
      .effect(on: Counter.load, name: "forks") { effect in
        effect.fork { _ in await gate.wait() }
        try await effect.sleep(for: .seconds(3))
      })
    await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)
    await store.receive(Counter.increment)
    #expect(
      failures.values == [
        """
        No action came within 0.02 seconds. Expected increment.
        1 effect is still running:
          ‘forks’ (from send at T/T.swift:12) sleeps until +3 s and waits for something outside \
        the library
        Advance the clock: `await store.clock.advance(by: .seconds(3))`.
        """
      ])
    gate.open()
    await store.clock.run()
    await store.finish()
    #expect(failures.count == 1)
  }

  @Test func `T3: of a child that a body made nobody knows if it has ended, and so it is said`()
    async
  {
    let store = testStore(
      limit: .milliseconds(20),
      .effect(on: Counter.load, name: "asks") { effect in
        async let answer = 3
        _ = await answer
        try await effect.sleep(for: .seconds(3))
      })
    await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)
    await store.receive(Counter.increment)
    #expect(
      failures.values == [
        """
        No action came within 0.02 seconds. Expected increment.
        1 effect is still running:
          ‘asks’ (from send at T/T.swift:12) sleeps until +3 s, and a task that it made may wait \
        for something outside the library
        Advance the clock: `await store.clock.advance(by: .seconds(3))`.
        """
      ])
    await store.clock.run()
    await store.finish()
    #expect(failures.count == 1)
  }

  @Test func `T3: a background effect may send, and is waited for when it waits elsewhere`() async {
    let gate = Gate()
    let store = testStore(
      .effect(on: Counter.load) { effect in
        await gate.wait()
        effect.dispatch(Counter.increment)
      }.background())
    await store.send(Counter.load) { $0.isLoading = true }
    // What is in the background does not keep the store from being finished.
    await store.finish()
    async let opened: Void = runOnThread { gate.open() }
    await store.receive(Counter.increment) { $0.count = 1 }
    await opened
    #expect(failures.values == [])
  }

  @Test func `T3: of a background effect that sends nothing within the limit it is said`() async {
    let gate = Gate()
    let store = testStore(
      limit: .milliseconds(20),
      .effect(on: Counter.load, name: "listens") { _ in await gate.wait() }.background())
    await store.send(Counter.load, { $0.isLoading = true }, fileID: "T/T.swift", line: 12)
    await store.receive(Counter.increment)
    #expect(
      failures.values == [
        """
        No action came within 0.02 seconds. Expected increment.
        1 effect is still running:
          ‘listens’ (from send at T/T.swift:12), in the background, waits for something outside \
        the library
        Give the effect a service that answers at once, or the TestStore a longer `limit`.
        """
      ])
    gate.open()
    await store.finish()
    #expect(failures.count == 1)
  }
}

private struct Tick: Action, Equatable {}
