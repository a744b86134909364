import Middleware
import SideEffects
import Store
import StoreTesting
import TestSupport
import Testing

/// The policies that let time pass before a run starts.
@Suite(.timeLimit(.minutes(5)))
struct EffectTimePolicyTests {
  /// A clock whose sleeps fail until the test says otherwise.
  private struct BrokenClock: Clock {
    struct Failure: Error {}
    let isBroken = Box(true)
    var now: TimerClock.Instant { .now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: TimerClock.Instant, tolerance: Duration?) async throws {
      if isBroken.value { throw Failure() }
      try await TimerClock().sleep(until: deadline)
    }
  }

  @Test(arguments: [
    EffectPolicy.debounce(for: .milliseconds(1)),
    .throttle(for: .milliseconds(1), edges: .trailing),
  ])
  func `E17, E18: what waits for a clock that fails runs at once, and later ones as ever`(
    policy: EffectPolicy
  ) async {
    let clock = BrokenClock()
    let store = Store(
      initialState: Journal(), reducer: journalReducer,
      middleware: [
        createMiddleware(items: [
          .effect(on: Begin.self, policy) { begin, effect in effect.dispatch(Answer(id: begin.id)) }
        ])
      ], clock: clock)
    await store.dispatch(Begin(id: 1)).finish()
    clock.isBroken.value = false
    await store.dispatch(Begin(id: 2)).finish()
    #expect(store.state.answers == [1, 2])
    await store.idle()
  }

  private static let hundred = Duration.milliseconds(100)

  /// Which actions started a run, and after how many milliseconds.
  private struct Starts {
    let began = Recorder<String>()
    let bench: TimedStore

    init(_ policy: EffectPolicy, key: (@Sendable (Begin) -> any Hashable & Sendable)? = nil) {
      let clock = Box<TestClock?>(nil)
      bench = TimedStore(
        .effect(on: Begin.self, key: key, policy, name: "work") { [began] action, effect in
          let now = (clock.value?.now.offset ?? .zero) / .milliseconds(1)
          began.record("\(action.id) at \(Int(now))")
          effect.dispatch(Answer(id: action.id))
        })
      clock.value = bench.clock
    }

    @discardableResult
    func begin(_ id: Int) -> DispatchHandle { bench.store.dispatch(Begin(id: id)) }
  }

  @Test func `E17: a debounce starts the last action once nothing came for its window`() async {
    let starts = Starts(.debounce(for: Self.hundred))
    for id in 1...3 {
      starts.begin(id)
      await starts.bench.advance(by: .milliseconds(99))
    }
    #expect(starts.began.values.isEmpty)
    await starts.bench.advance(by: .milliseconds(1))
    #expect(starts.began.values == ["3 at 298"])
    // And once more.
    starts.begin(4)
    await starts.bench.advance(by: .seconds(1))
    #expect(starts.began.values == ["3 at 298", "4 at 398"])
    await starts.bench.expectRest()
  }

  @Test func `E17: a burst makes one run, and the handles of the others end at once`() async {
    let starts = Starts(.debounce(for: Self.hundred))
    let handles = (1...100).map { starts.begin($0) }
    for handle in handles.dropLast() { await handle.finish() }
    let last = Begun { await handles[99].finish() }
    #expect(!last.isOver)
    await starts.bench.advance(by: Self.hundred)
    await last.wait()
    #expect(starts.bench.answers == [100])
    await starts.bench.expectRest()
  }

  @Test func `E17: with a longest wait a debounce starts though actions keep coming`() async {
    let starts = Starts(.debounce(for: Self.hundred, maxWait: .milliseconds(250)))
    for id in 0..<12 {
      starts.begin(id)
      await starts.bench.advance(by: .milliseconds(50))
    }
    // 250 after the first, which is before the action that comes then; the next wait begins there.
    #expect(starts.began.values == ["4 at 250", "9 at 500"])
    await starts.bench.advance(by: .seconds(1))
    #expect(starts.began.values == ["4 at 250", "9 at 500", "11 at 650"])
    await starts.bench.expectRest()
  }

  @Test func `E17: a debounced run ends the one before it when it starts, not when it waits`() async
  {
    let bench = TimedStore(
      .effect(on: Begin.self, .debounce(for: Self.hundred)) { action, effect in
        try await effect.sleep(for: .milliseconds(150))
        effect.dispatch(Answer(id: action.id))
      })
    bench.store.dispatch(Begin(id: 1))
    await bench.advance(by: Self.hundred)
    // Waits to 210, in time to end the run of 100, which would answer at 250.
    await bench.advance(by: .milliseconds(10))
    bench.store.dispatch(Begin(id: 2))
    // Waits to 360 after that: too late.
    #expect(bench.store.liveEffects().count == 2)
    await bench.advance(by: .milliseconds(90))
    #expect(bench.store.liveEffects().count == 2)
    await bench.advance(by: .milliseconds(10))
    #expect(bench.store.liveEffects().count == 1)
    await bench.advance(by: .milliseconds(150))
    #expect(bench.answers == [2])
    bench.store.dispatch(Begin(id: 3))
    await bench.advance(by: .seconds(1))
    #expect(bench.answers == [2, 3])
    await bench.expectRest()
  }

  @Test func `E17: each key is debounced by itself`() async {
    let starts = Starts(.debounce(for: Self.hundred), key: { $0.id % 2 })
    starts.begin(1)
    await starts.bench.advance(by: .milliseconds(60))
    starts.begin(2)
    starts.begin(4)
    await starts.bench.advance(by: .seconds(1))
    #expect(starts.began.values == ["1 at 100", "4 at 160"])
    await starts.bench.expectRest()
  }

  @Test func `E17: what is cancelled while it waits never runs, and the next waits anew`() async {
    let starts = Starts(.debounce(for: Self.hundred, maxWait: .milliseconds(150)))
    let handle = starts.begin(1)
    await starts.bench.advance(by: .milliseconds(90))
    starts.bench.store.cancelEffects(.named("work"))
    await handle.finish()
    await starts.bench.expectRest()
    starts.begin(2)
    await starts.bench.advance(by: .milliseconds(99))
    #expect(starts.began.values.isEmpty)
    let third = starts.begin(3)
    third.cancel()
    await third.finish()
    await starts.bench.expectRest()
    #expect(starts.began.values.isEmpty)
  }

  @Test func `E18: at input every 10 ms and a window of 100 the runs are 0, 10, 20, 30, 34`() async
  {
    let starts = Starts(.throttle(for: Self.hundred))
    let (store, clock) = (starts.bench.store, starts.bench.clock)
    // They sleep before the policy does, so of what is due at one time they come first.
    for id in 0...34 {
      Task(executorPreference: starts.bench.executor) {
        try await clock.sleep(until: TestClock.Instant(offset: .milliseconds(10 * id)))
        store.dispatch(Begin(id: id))
      }
    }
    await starts.bench.advance(by: .milliseconds(340))
    #expect(starts.began.values == ["0 at 0", "10 at 100", "20 at 200", "30 at 300"])
    // The trailing run needs no further input.
    await starts.bench.advance(by: .seconds(1))
    #expect(
      starts.began.values == ["0 at 0", "10 at 100", "20 at 200", "30 at 300", "34 at 400"])
    await starts.bench.expectRest()
  }

  @Test func `E18: the edges of a throttle`() async {
    let expected: [(EffectPolicy.Edges, [String])] = [
      (.leading, ["0 at 0", "10 at 105", "20 at 205"]),
      (.trailing, ["9 at 100", "19 at 200", "24 at 300"]),
      (.both, ["0 at 0", "9 at 100", "19 at 200", "24 at 300"]),
    ]
    for (edges, runs) in expected {
      let starts = Starts(.throttle(for: Self.hundred, edges: edges))
      starts.begin(0)
      await starts.bench.advance(by: .milliseconds(15))
      for id in 1...24 {
        starts.begin(id)
        await starts.bench.advance(by: .milliseconds(10))
      }
      await starts.bench.advance(by: .seconds(1))
      #expect(starts.began.values == runs, "\(edges)")
      await starts.bench.expectRest()
    }
  }

  @Test func `E18: after a quiet window a throttle starts at once, and not after a cancel`() async {
    let starts = Starts(.throttle(for: Self.hundred), key: { _ in "key" })
    starts.begin(1)
    starts.begin(2)
    // What waited is gone, but the window is as open as before.
    starts.bench.store.cancelEffects(.key("key"))
    starts.begin(3)
    await starts.bench.advance(by: .milliseconds(201))
    starts.begin(4)
    #expect(starts.began.values == ["1 at 0", "3 at 100", "4 at 201"])
    await starts.bench.advance(by: .seconds(1))
    await starts.bench.expectRest()
  }

  @Test func `E8, E18: who cancels what has ended opens no window`() async {
    let starts = Starts(.throttle(for: Self.hundred), key: { _ in "key" })
    for id in 1...3 {
      starts.begin(id)
      await starts.bench.settle()
      starts.bench.store.cancelEffects(.named("work"))
    }
    #expect(starts.began.values == ["1 at 0"])
    await starts.bench.advance(by: .seconds(1))
    await starts.bench.expectRest()
  }

  @Test func `E18: the runs of a throttle may overlap`() async {
    let bench = TimedStore(
      .effect(on: Begin.self, .throttle(for: Self.hundred)) { action, effect in
        try await effect.sleep(for: .seconds(1))
        effect.dispatch(Answer(id: action.id))
      })
    for id in 1...2 { bench.store.dispatch(Begin(id: id)) }
    await bench.advance(by: Self.hundred)
    #expect(bench.store.liveEffects().count == 2)
    await bench.advance(by: .seconds(1))
    #expect(bench.answers == [1, 2])
    await bench.expectRest()
  }

  @Test func `E19: windows of nothing and less are none`() async {
    for window in [Duration.zero, .milliseconds(-5), .seconds(Int64.min)] {
      let debounce = Starts(.debounce(for: window, maxWait: window))
      for id in 1...2 { debounce.begin(id) }
      #expect(debounce.began.values == ["1 at 0", "2 at 0"])
      let throttle = Starts(.throttle(for: window))
      for id in 1...2 { throttle.begin(id) }
      #expect(throttle.began.values == ["1 at 0", "2 at 0"])
      await debounce.bench.expectRest()
      await throttle.bench.expectRest()
    }
  }

  @Test func `E19: a longest wait of nothing or less starts as soon as it can`() async {
    for longest in [Duration.zero, .seconds(-1)] {
      let starts = Starts(.debounce(for: .seconds(1), maxWait: longest))
      starts.begin(1)
      await starts.bench.settle()
      #expect(starts.began.values == ["1 at 0"])
      await starts.bench.expectRest()
    }
  }

  @Test func `E19: windows of a hundred days, and of more than there is`() async {
    let starts = Starts(.debounce(for: .seconds(100 * 86_400)))
    starts.begin(1)
    await starts.bench.advance(by: .seconds(100 * 86_400 - 1))
    #expect(starts.began.values.isEmpty)
    await starts.bench.advance(by: .seconds(1))
    #expect(starts.began.values == ["1 at 8640000000"])
    await starts.bench.expectRest()

    for policy in [
      EffectPolicy.debounce(for: .seconds(Int64.max)), .throttle(for: .seconds(Int64.max)),
    ] {
      let forEver = Starts(policy)
      forEver.begin(1)
      forEver.begin(2)
      await forEver.bench.advance(by: .seconds(1 << 39))
      #expect(forEver.bench.store.liveEffects().count == 1)
      forEver.bench.store.cancelEffects(.all)
      await forEver.bench.clock.run()
      await forEver.bench.expectRest()
    }
  }

  @Test func `E17: dropping the store ends what waits, and its timer`() async {
    let (clock, ended) = (TestClock(), Gate())
    do {
      let store = Store(
        initialState: Journal(), reducer: journalReducer,
        middleware: [
          createMiddleware(items: [
            .effect(on: Begin.self, .debounce(for: .seconds(1))) { _, _ in
              Issue.record("ran after the end of the store")
            },
            .effect(on: Answer.self, .throttle(for: .seconds(1))) { _, _ in },
          ])
        ], clock: clock)
      store.dispatch(Answer())
      let handle = store.dispatch(Begin())
      Task {
        await handle.finish()
        ended.open()
      }
    }
    await ended.wait()
    await clock.advance(by: .seconds(2))
  }

  @Test func `E17: with threads that start and cancel, the last action still runs`() async {
    // Given windows so short that timers ring all the time
    let began = Recorder<Int>()
    let store = makeStore(
      .effect(on: Begin.self, .debounce(for: .microseconds(20)), name: "debounce") { action, _ in
        if action.id < 0 { began.record(action.id) }
      },
      .effect(
        on: Begin.self, key: { $0.id % 3 }, .throttle(for: .microseconds(20)), name: "throttle"
      ) { action, _ in if action.id < 0 { began.record(action.id) } })
    for round in 1...scaled(500) {
      await withTaskGroup { group in
        for worker in 0..<3 {
          group.addTask {
            for id in 0..<20 {
              let handle = store.dispatch(Begin(id: id))
              if (id + worker).isMultiple(of: 4) { handle.cancel() }
              if (id + worker).isMultiple(of: 7) { store.cancelEffects(.named("debounce")) }
            }
          }
        }
      }
      // When nothing comes any more, the last starts by itself
      let last = store.dispatch(Begin(id: -3 * round))
      await last.finish()
      await began.waitForCount(2 * round)
    }
    await store.idle()
    #expect(store.liveEffects().isEmpty)
  }

  @Test(arguments: [
    (EffectPolicy.leading, ["1"]), (.latest, ["2"]), (.keepLatest, ["1", "2"]),
    (.queue(limit: 1, capacity: 1, overflow: .dropOldest), ["1", "2"]),
    (.debounce(for: .milliseconds(100)), ["2"]), (.throttle(for: .milliseconds(100)), ["1", "2"]),
  ])
  func `E29: a case that does not match neither starts, delays nor counts`(
    policy: EffectPolicy, expected: [String]
  ) async {
    let ended = Recorder<String>()
    let bench = TimedStore(
      .effect(on: Begin.self, for: { $0.id > 0 ? $0.id : nil }, policy) { id, effect in
        try await effect.sleep(for: .milliseconds(60))
        effect.dispatch(Answer(id: id))
        ended.record("\(id)")
      })
    for id in [1, 2, 0, 0] { bench.store.dispatch(Begin(id: id)) }
    await bench.advance(by: .milliseconds(50))
    for _ in 1...3 { bench.store.dispatch(Begin(id: 0)) }
    // Every run is over 160 ms after the first action at the latest.
    await bench.advance(by: .milliseconds(110))
    #expect(ended.values == expected)
    await bench.clock.run()
    await bench.expectRest()
  }
}
