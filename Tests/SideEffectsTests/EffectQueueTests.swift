import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// The policies under which a run waits for another, or is refused.
@Suite(.timeLimit(.minutes(5)))
struct EffectQueueTests {
  /// Runs of `policy` that record their beginning, wait for their gate and answer.
  private struct Lane {
    let began = Recorder<Int>()
    let gates = (0..<10).map { _ in Gate() }
    let failures = Recorder<EffectFailed>()
    let store: Store<Journal>

    init(_ policy: EffectPolicy, key: (@Sendable (Begin) -> any Hashable & Sendable)? = nil) {
      store = makeStore(
        .effect(on: Begin.self, key: key, policy, name: "work") { [began, gates] action, effect in
          began.record(action.id)
          guard await gates[action.id].wait() else { return }
          effect.dispatch(Answer(id: action.id))
        },
        .on(EffectFailed.self) { [failures] failed, _ in failures.record(failed) })
    }

    func begin(_ ids: Int...) -> [DispatchHandle] { ids.map { store.dispatch(Begin(id: $0)) } }

    func expectRest() async {
      await store.idle()
      #expect(store.liveEffects().isEmpty)
      #expect(store.effects.current == 0)
    }
  }

  @Test func `E14: leading drops what comes while a run goes on`() async {
    let lane = Lane(.leading)
    let handles = lane.begin(1, 2, 3)
    #expect(lane.began.values == [1])
    // What is dropped keeps nobody waiting.
    await handles[1].finish()
    await handles[2].finish()
    lane.gates[1].open()
    await handles[0].finish()
    lane.gates[4].open()
    await lane.begin(4)[0].finish()
    #expect(lane.store.state.answers == [1, 4])
    await lane.expectRest()
  }

  @Test func `E14: under leading a cancelled run no longer keeps others away`() async {
    let lane = Lane(.leading)
    _ = lane.begin(1)
    lane.store.cancelEffects(.named("work"))
    _ = lane.begin(2)
    #expect(lane.began.values == [1, 2])
    lane.gates[2].open()
    await lane.expectRest()
    #expect(lane.store.state.answers == [2])
  }

  @Test func `E14: leading is applied to each key by itself, also if keys are objects`() async {
    final class Subject: Hashable, Sendable {
      let id: Int
      init(_ id: Int) { self.id = id }
      static func == (first: Subject, second: Subject) -> Bool { first.id == second.id }
      func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
    let lane = Lane(.leading, key: { Subject($0.id % 2) })
    _ = lane.begin(1, 2, 3, 4)
    #expect(lane.began.values == [1, 2])
    lane.store.cancelEffects(.key(Subject(1)))
    lane.gates[2].open()
    await lane.expectRest()
    #expect(lane.store.state.answers == [2])
  }

  @Test func `E15: a queue is strictly serial and keeps the order of the actions`() async {
    let lane = Lane(.queue)
    let handles = lane.begin(1, 2, 3)
    #expect(lane.began.values == [1])
    // The last may be ready first.
    for id in [3, 2, 1] { lane.gates[id].open() }
    await handles[2].finish()
    #expect(lane.store.state.answers == [1, 2, 3])
    await lane.expectRest()
  }

  @Test func `E15: a handle waits for a run that waits for its turn`() async {
    let lane = Lane(.queue)
    let handles = lane.begin(1, 2)
    let finishing = Begun { await handles[1].finish() }
    lane.gates[2].open()
    #expect(!finishing.isOver)
    lane.gates[1].open()
    await finishing.wait()
    #expect(lane.store.state.answers == [1, 2])
    await lane.expectRest()
  }

  @Test func `E15: at most so many run at a time as a queue was told`() async {
    let lane = Lane(.queue(limit: 2))
    let handles = lane.begin(1, 2, 3, 4)
    #expect(lane.began.values == [1, 2])
    lane.gates[2].open()
    await handles[1].finish()
    await lane.began.waitForCount(3)
    #expect(lane.began.values == [1, 2, 3])
    for id in [1, 3, 4] { lane.gates[id].open() }
    await lane.expectRest()
    #expect(lane.began.values == [1, 2, 3, 4])
    #expect(lane.store.state.answers.count == 4)
  }

  @Test func `E15: each key has a queue of its own`() async {
    let lane = Lane(.queue, key: { $0.id % 2 })
    _ = lane.begin(1, 2, 3, 4)
    #expect(lane.began.values == [1, 2])
    for gate in lane.gates { gate.open() }
    await lane.expectRest()
    #expect(lane.began.values.filter { $0 % 2 == 0 } == [2, 4])
    #expect(lane.began.values.filter { $0 % 2 == 1 } == [1, 3])
  }

  @Test func `E15: drop-oldest ends what has waited longest, and its handle`() async {
    let lane = Lane(.queue(limit: 1, capacity: 2, overflow: .dropOldest))
    let handles = lane.begin(1, 2, 3, 4)
    await handles[1].finish()
    for gate in lane.gates { gate.open() }
    await lane.expectRest()
    #expect(lane.store.state.answers == [1, 3, 4])
    #expect(lane.failures.count == 0)
  }

  @Test func `E15: drop-newest does not take in what comes too late, and ends its handle`() async {
    let lane = Lane(.queue(limit: 1, capacity: 2, overflow: .dropNewest))
    let handles = lane.begin(1, 2, 3, 4)
    await handles[3].finish()
    for gate in lane.gates { gate.open() }
    await lane.expectRest()
    #expect(lane.store.state.answers == [1, 2, 3])
    #expect(lane.failures.count == 0)
  }

  @Test func `E15: a full queue can fail, which is sent once, with name, key and origin`()
    async throws
  {
    let lane = Lane(.queue(limit: 1, capacity: 1, overflow: .fail), key: { _ in "key" })
    let handles = lane.begin(1, 2, 3)
    await handles[2].finish()
    let failure = try #require(lane.failures.values.first)
    #expect(lane.failures.count == 1)
    #expect(failure.name == "work")
    #expect(failure.key as? String == "key")
    #expect(failure.origin.number == handles[2].number)
    #expect(failure.attempt == 1)
    let error = try #require(failure.error as? EffectQueueFull)
    #expect(error.capacity == 1)
    #expect(
      "\(error)" == """
        The effect did not run: 1 others are waiting already, as many as its queue may hold. Send \
        fewer actions, or allow more with `.queue(limit:capacity:)`.
        """)
    for gate in lane.gates { gate.open() }
    await lane.expectRest()
    #expect(lane.store.state.answers == [1, 2])
  }

  @Test func `E15: a handler of failures whose own queue is full is reported, and no loop`() async {
    let gate = Gate()
    let diagnostics = Recorder<Diagnostic>()
    let store = makeStore(
      .effect(on: Begin.self) { _, _ in throw CancellationError() },
      .effect(on: EffectFailed.self, .queue(limit: 1, capacity: 0, overflow: .fail), name: "report")
      { _, _ in await gate.wait() },
      diagnostics: { diagnostics.record($0) })
    store.dispatch(Begin())
    store.dispatch(Begin())
    gate.open()
    await store.idle()
    #expect(diagnostics.count == 1)
    guard case .failureHandlerFailed(effect: "report", _, _) = diagnostics.values.first else {
      Issue.record("reported: \(diagnostics.values)")
      return
    }
  }

  @Test func `E5: a run that waits for its turn and is cancelled never runs, and ends its handle`()
    async
  {
    let lane = Lane(.queue)
    let handles = lane.begin(1, 2, 3)
    handles[1].cancel()
    await handles[1].finish()
    for gate in lane.gates { gate.open() }
    await lane.expectRest()
    #expect(lane.began.values == [1, 3])
  }

  @Test(arguments: [EffectPolicy.queue, .keepLatest])
  func `E5: cancelling by name ends those that wait, without a trace`(policy: EffectPolicy) async {
    let lane = Lane(policy)
    let handles = lane.begin(1, 2, 3)
    lane.store.cancelEffects(.named("work"))
    #expect(lane.store.liveEffects().isEmpty)
    for handle in handles { await handle.finish() }
    #expect(lane.began.values == [1])
    await lane.expectRest()
    // And the next starts at once.
    _ = lane.begin(4)
    #expect(lane.began.values == [1, 4])
    lane.gates[4].open()
    await lane.expectRest()
  }

  @Test func `E15: a run that is cancelled gives way at once, though its body goes on`() async {
    let (deaf, began) = (Gate(), Recorder<Int>())
    let store = makeStore(
      .effect(on: Begin.self, .queue) { action, _ in
        began.record(action.id)
        guard action.id == 1 else { return }
        // Waits in a task that the cancel does not reach.
        await Task.detached { _ = await deaf.wait() }.value
      })
    let first = store.dispatch(Begin(id: 1))
    let second = store.dispatch(Begin(id: 2))
    first.cancel()
    await second.finish()
    #expect(began.values == [1, 2])
    deaf.open()
    await store.idle()
  }

  @Test func `E15: the store's end ends those that wait`() async {
    let ended = Recorder<Int>()
    var lane: Lane? = Lane(.queue)
    let handles = lane?.begin(1, 2, 3) ?? []
    lane = nil
    for (index, handle) in handles.enumerated() {
      await handle.finish()
      ended.record(index)
    }
    #expect(ended.values == [0, 1, 2])
  }

  @Test func `E16: keepLatest runs one and lets the newest wait`() async {
    let lane = Lane(.keepLatest)
    let handles = lane.begin(1, 2, 3, 4)
    // Those that were replaced while they waited are over.
    await handles[1].finish()
    await handles[2].finish()
    #expect(lane.began.values == [1])
    for gate in lane.gates { gate.open() }
    await lane.expectRest()
    #expect(lane.store.state.answers == [1, 4])
  }

  @Test func `E15: a run may send into its own queue`() async {
    let store = makeStore(
      .effect(on: Begin.self, .queue) { action, effect in
        // A suspension, not a wait: what follows is sent from the pool, while the run holds the queue.
        await Task.yield()
        effect.dispatch(Answer(id: action.id))
        if action.id < 100 { effect.dispatch(Begin(id: action.id + 1)) }
      })
    await store.dispatch(Begin(id: 1)).finish()
    #expect(store.state.answers == Array(1...100))
    await store.idle()
  }

  @Test func `E15: a queue of many starts each in constant time`() async {
    let count = scaled(100_000)
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self, .queue) { action, effect in
        if action.id == 0 { await gate.wait() }
        if action.id.isMultiple(of: 1_000) || action.id == count - 1 {
          effect.dispatch(Answer(id: action.id))
        }
      })
    for id in 0..<count { store.dispatch(Begin(id: id)) }
    gate.open()
    await store.idle()
    #expect(store.state.answers.last == count - 1)
    #expect(store.state.answers == store.state.answers.sorted())
  }
}
