import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// Waiting inside a run for what cannot start before that run has ended.
@Suite(.timeLimit(.minutes(5)))
struct EffectQueueWaitingTests {
  /// How actions that a run sends come to wait behind it.
  enum Shape: CaseIterable {
    case queue, keepLatest, dropOldest, otherCancelled, ofTwo

    var policy: EffectPolicy {
      switch self {
      case .queue, .otherCancelled: .queue
      case .keepLatest: .keepLatest
      case .dropOldest: .queue(limit: 1, capacity: 1, overflow: .dropOldest)
      case .ofTwo: .queue(limit: 2)
      }
    }
  }

  @Test(arguments: Shape.allCases)
  func `E15: awaiting an action of one's own that waits for its turn is diagnosed`(
    shape: Shape
  ) async {
    let diagnostics = Recorder<String>()
    let both = Gate()
    let store = makeStore(
      .effect(on: Begin.self, shape.policy, name: "work") { action, effect in
        guard action.id < 10 else { return _ = effect.dispatch(Answer(id: action.id)) }
        if shape == .ofTwo {
          if action.id == 2 { both.open() }
          await both.wait()
        }
        var handles = (1...3).map { effect.dispatch(Begin(id: 10 * action.id + $0)) }
        if shape == .otherCancelled { handles.removeFirst().cancel() }
        await handles[handles.count - 1].finish()
      },
      diagnostics: { diagnostics.record("\($0)") })
    store.dispatch(Begin(id: 1))
    if shape == .ofTwo { store.dispatch(Begin(id: 2)) }
    await store.idle()
    #expect(
      diagnostics.values == [
        """
        The effect ‘work’ awaits `finish()`, which cannot return before that effect ends; the call \
        returned at once. Let the effect return, or wait outside of effects.
        """
      ])
    #expect(store.state.answers.contains(13))
    #expect(store.liveEffects().isEmpty)
  }

  @Test func `E15: a run that starts as another ends is told at once what it would wait for`()
    async
  {
    // The run that ends is still at it when the next, which it lets start, begins to wait.
    let diagnostics = Recorder<String>()
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self, .queue, name: "work") { action, effect in
        if action.id == 1 { await gate.wait() }
        if action.id == 2 { await effect.dispatch(Begin(id: 3)).finish() }
        effect.dispatch(Answer(id: action.id))
      },
      diagnostics: { diagnostics.record("\($0)") })
    store.dispatch(Begin(id: 1))
    store.dispatch(Begin(id: 2))
    store.dispatch(Begin(id: 4))
    gate.open()
    await store.idle()
    #expect(diagnostics.count == 1)
    #expect(store.state.answers == [1, 2, 4, 3])
  }

  @Test func `S16: a run that a full queue refused sends nothing after its dispatch was cancelled`()
    async
  {
    struct Go: Action {}
    let failures = Recorder<EffectFailed>()
    let gate = Gate()
    let store = makeStore(
      .effect(
        on: Begin.self, .queue(limit: 1, capacity: 0, overflow: .fail), name: "work"
      ) { _, _ in await gate.wait() },
      // While this is called the refused run waits for its turn to tell.
      .on(Go.self) { _, dispatch in dispatch(Begin(id: 2)).cancel() },
      .on(EffectFailed.self) { failure, _ in failures.record(failure) })
    store.dispatch(Begin(id: 1))
    store.dispatch(Go())
    #expect(failures.values.isEmpty)
    store.dispatch(Begin(id: 3))
    #expect(failures.count == 1)
    gate.open()
    await store.idle()
    #expect(store.liveEffects().isEmpty)
  }

  @Test func `E15: who awaits what the end of another run lets start is not taken for its blocker`()
    async
  {
    let diagnostics = Recorder<String>()
    let store = makeStore(
      .effect(on: Begin.self, .queue(limit: 2), name: "work") { action, effect in
        // A suspension, not a wait: the run ends on a thread of the pool, against the dispatches.
        await Task.yield()
        if action.id == 2 { await effect.dispatch(Begin(id: 3)).finish() }
      },
      diagnostics: { diagnostics.record("\($0)") })
    for _ in 0..<scaled(20_000) {
      store.dispatch(Begin(id: 1))
      store.dispatch(Begin(id: 2))
      await store.idle()
    }
    #expect(diagnostics.values == [])
  }

  @Test func `E15: in a queue of two, one may wait for what the other lets start`() async {
    let (gate, both) = (Gate(), Gate())
    let waiting = Recorder<Int>()
    let store = makeStore(
      .effect(on: Begin.self, .queue(limit: 2)) { action, effect in
        switch action.id {
        case 1:
          await both.wait()
          let handle = effect.dispatch(Begin(id: 3))
          waiting.record(3)
          await handle.finish()
        case 2: await gate.wait()
        default: break
        }
        effect.dispatch(Answer(id: action.id))
      })
    let first = store.dispatch(Begin(id: 1))
    store.dispatch(Begin(id: 2))
    both.open()
    await waiting.waitForCount(1)
    #expect(store.liveEffects().count == 3)
    gate.open()
    await first.finish()
    await store.idle()
    #expect(store.state.answers.firstIndex(of: 3) ?? 9 < store.state.answers.firstIndex(of: 1) ?? 0)
  }

  @Test func `E15: a run that was cancelled may wait for what it let start`() async {
    let (cancelled, over) = (Gate(), Gate())
    let store = makeStore(
      .effect(on: Begin.self, .queue, name: "work") { action, effect in
        guard action.id == 1 else { return }
        let handle = effect.dispatch(Begin(id: 2))
        // A task that the cancel does not reach waits in the name of the run.
        await Task {
          await cancelled.wait()
          await handle.finish()
          over.open()
        }.value
      })
    let handle = store.dispatch(Begin(id: 1))
    #expect(store.liveEffects().count == 2)
    let second = store.dispatch(Begin(id: 3))
    handle.cancel()
    cancelled.open()
    await over.wait()
    await second.finish()
    await store.idle()
  }

  @Test func `E11: racing starts, waits and cancels leave nothing behind`() async {
    // The bodies suspend, and wait for nothing by it: so they end on other threads than those that
    // dispatch, which is what races.
    let store = makeStore(
      .effect(on: Begin.self, key: { $0.id % 3 }, .queue(limit: 2)) { _, _ in await Task.yield() },
      .effect(on: Begin.self, .keepLatest) { _, _ in await Task.yield() })
    await withTaskGroup { group in
      for worker in 0..<4 {
        group.addTask {
          for id in 0..<250 {
            let handle = store.dispatch(Begin(id: id))
            if (id + worker).isMultiple(of: 3) { handle.cancel() }
            if (id + worker).isMultiple(of: 50) { store.cancelEffects(.all) }
          }
        }
      }
    }
    await store.idle()
    #expect(store.liveEffects().isEmpty)
    #expect(store.effects.current == 0)
  }
}

/// Waiting inside a run for what comes to wait for that run only later.
extension EffectQueueWaitingTests {
  private struct Ask: Action {
    var id: Int
  }

  private static let told = """
    The effect ‘work’ awaits `finish()`, which cannot return before that effect ends; the call \
    returned at once. Let the effect return, or wait outside of effects.
    """

  @Test(arguments: [EffectPolicy.queue, .keepLatest], [1, 2])
  func `E15: who awaits what later sends into the waiter's own queue is let go and told`(
    policy: EffectPolicy, waiters: Int
  ) async {
    // Given a run that awaits the effect of an action, in as many tasks as there are waiters
    let (diagnostics, gate) = (Recorder<String>(), Gate())
    let bench = TimedStore(
      .effect(on: Begin.self, policy, name: "work") { action, effect in
        guard action.id == 1 else { return _ = effect.dispatch(Answer(id: action.id)) }
        let handle = effect.dispatch(Ask(id: 1))
        await withTaskGroup { group in
          for _ in 1...waiters { group.addTask { await handle.finish() } }
        }
        effect.dispatch(Answer(id: 1))
      },
      .effect(on: Ask.self, name: "sends") { _, effect in
        await gate.wait()
        await effect.dispatch(Begin(id: 2)).finish()
        effect.dispatch(Answer(id: 3))
      },
      diagnostics: { diagnostics.record("\($0)") })
    bench.store.dispatch(Begin(id: 1))
    await bench.settle()
    #expect(diagnostics.count == 0)
    // When that effect sends into the queue of the run, and awaits it
    gate.open()
    // Then all goes on
    await bench.expectRest()
    #expect(bench.answers == [1, 2, 3])
    #expect(diagnostics.values == Array(repeating: Self.told, count: waiters))
  }

  @Test func `E15: of runs that wait for each other through two queues, one is let go`() async {
    // Given two runs, each of which awaits what is to send into the queue of the other
    let (diagnostics, gate, handles) = (Recorder<String>(), Gate(), Recorder<DispatchHandle>())
    let bench = TimedStore(
      .effect(on: Begin.self, key: { $0.id % 2 }, .queue, name: "work") { action, effect in
        guard action.id < 2 else { return _ = effect.dispatch(Answer(id: action.id)) }
        await handles.values[1 - action.id].finish()
        effect.dispatch(Answer(id: action.id))
      },
      .effect(on: Ask.self, name: "sends") { ask, effect in
        await gate.wait()
        effect.dispatch(Begin(id: ask.id))
      },
      diagnostics: { diagnostics.record("\($0)") })
    for id in 0...1 { handles.record(bench.store.dispatch(Ask(id: 2 + id))) }
    for id in 0...1 { bench.store.dispatch(Begin(id: id)) }
    await bench.settle()
    #expect(diagnostics.count == 0)
    // When they send
    gate.open()
    // Then the one is told that began to wait last, and both end
    await bench.expectRest()
    #expect(bench.answers.first == 1)
    #expect(bench.answers.sorted() == [0, 1, 2, 3])
    #expect(diagnostics.values == [Self.told])
  }

  @Test func `E15: who waits no more is not told of what is sent into its queue later`() async {
    let (gate, end, handles) = (Gate(), Gate(), Recorder<DispatchHandle>())
    let bench = TimedStore(
      .effect(on: Begin.self, .queue) { action, effect in
        guard action.id == 1 else { return _ = effect.dispatch(Answer(id: action.id)) }
        let fork = effect.fork { _ in await handles.values[0].finish() }
        try await effect.sleep(for: .seconds(1))
        fork.cancel()
        await end.wait()
        effect.dispatch(Answer(id: 1))
      },
      .effect(on: Ask.self) { _, effect in
        await gate.wait()
        // Now this may wait for the run that waits for it no more.
        async let waiting: Void = handles.values[1].finish()
        try await effect.sleep(for: .seconds(1))
        effect.dispatch(Begin(id: 2))
        await waiting
      })
    handles.record(bench.store.dispatch(Ask(id: 1)))
    handles.record(bench.store.dispatch(Begin(id: 1)))
    await bench.advance(by: .seconds(1))
    gate.open()
    await bench.advance(by: .seconds(1))
    #expect(bench.store.liveEffects().map(\.waits) == [[.outside], [.outside], [.turn]])
    end.open()
    await bench.expectRest()
    #expect(bench.answers == [1, 2])
  }
}
