import Dispatch
import Middleware
import SideEffects
import Store
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EffectCancellationTests {
  @Test func `E6: the end of a cancelled run asks nothing of the keys`() async {
    // Given runs that wait, about keys that are counted when they are hashed or compared
    let asked = Recorder<Int>()
    let bench = TimedStore(
      .effect(on: Begin.self, key: { AskedKey(number: $0.id, asked: asked) }) { _, effect in
        try await effect.sleep(for: .seconds(1))
      })
    for id in 1...3 { bench.store.dispatch(Begin(id: id)) }
    // When one is cancelled
    bench.store.cancelEffects(.key(AskedKey(number: 2, asked: asked)))
    let questions = asked.count
    await bench.settle()
    // Then its end, which comes later, asks for none; that of the others does
    #expect(asked.count == questions)
    await bench.advance(by: .seconds(1))
    #expect(asked.count > questions)
    await bench.expectRest()
  }

  /// How a test body ends an effect that has been registered and has not begun.
  enum Canceller: CaseIterable {
    case link, observer, earlierItem, otherThread
  }

  @Test(arguments: Canceller.allCases)
  func `E5: an effect cancelled before it has begun never runs`(canceller: Canceller) async {
    // Given an effect that records both its beginning and its cancellation
    let traces = Recorder<String>()
    let store = StoreBox()
    let link = Middleware<Journal> { action, _, next in
      let result = next(action)
      if canceller == .link, action is Begin { store.cancelEffects(.named("work")) }
      return result
    }
    let made = makeStore(
      HeldDrain.item,
      .on(Begin.self) { _, _ in
        if canceller == .earlierItem { store.cancelEffects(.named("work")) }
      },
      .effect(on: Begin.self, name: "work") { _, effect in
        traces.record("began")
        await withTaskCancellationHandler {
          _ = effect.dispatch(Answer())
        } onCancel: {
          traces.record("handled")
        }
      },
      links: [link])
    store.set(made)
    let subscription = made.subscribe(\.begun, initial: false) { _ in
      if canceller == .observer { store.cancelEffects(.named("work")) }
    }
    // When it is cancelled between its registration and its turn
    let drain = canceller == .otherThread ? await HeldDrain.begin(on: made) : nil
    let handle = made.dispatch(Begin())
    if canceller == .otherThread { made.cancelEffects(.named("work")) }
    await drain?.finish()
    // Then it is over without a trace
    await handle.finish()
    await made.idle()
    #expect(traces.values.isEmpty)
    #expect(made.state == Journal(begun: [0]))
    subscription.cancel()
  }

  @Test func `E5: cancelling one registered effect lets its neighbours begin`() async {
    let began = Recorder<Int>()
    let store = makeStore(
      HeldDrain.item,
      .effect(on: Begin.self, key: \.id, name: "work") { action, _ in began.record(action.id) })
    let drain = await HeldDrain.begin(on: store)
    for id in 1...3 { store.dispatch(Begin(id: id)) }
    store.cancelEffects(.named("work", key: 2))
    await drain.finish()
    #expect(began.values == [1, 3])
  }

  @Test func `E5: payload and key are read from the action before the store is locked`() {
    // Given an effect whose payload and key ask the store, which only an unlocked one answers
    let box = StoreBox()
    let seen = Recorder<[Int]?>()
    let store = makeStore(
      .effect(
        on: Begin.self,
        for: { action in
          seen.record(box.store?.state.begun)
          return action.id
        },
        key: { id in
          seen.record(box.store?.state.begun)
          return id
        }
      ) { _, _ in seen.record(box.store?.state.begun) })
    box.set(store)
    // When its action is dispatched
    store.dispatch(Begin(id: 1))
    // Then each was asked once, before the action was reduced
    #expect(seen.values == [[], [], [1]])
  }

  @Test func `E5: a cancel in the first stretch works at once and at the first suspension`() async {
    let diagnostics = Recorder<Diagnostic>()
    let store = StoreBox()
    let waited = Recorder<Bool>()
    let made = makeStore(
      .effect(on: Begin.self) { _, effect in
        effect.dispatch(Answer(id: 1))
        store.cancelEffects(.all)
        effect.dispatch(Answer(id: 2))
        #expect(effect.isCancelled)
        waited.record(await Gate().wait())
      },
      diagnostics: { diagnostics.record($0) })
    store.set(made)
    await made.dispatch(Begin()).finish()
    #expect(made.state.answers == [1])
    #expect(waited.values == [false])
    #expect(diagnostics.count == 1)
  }

  @Test func `E5: a cancel from another thread reaches an effect in its first stretch`() async {
    // Given an effect that blocks the thread it begins on
    let diagnostics = Recorder<Diagnostic>()
    let (began, returned) = (Gate(), Gate())
    let goOn = DispatchSemaphore(value: 0)
    let waited = Recorder<Bool>()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        began.open()
        block(on: goOn)
        effect.dispatch(Answer())
        waited.record(await Gate().wait())
      },
      diagnostics: { diagnostics.record($0) })
    onNewThread {
      store.dispatch(Begin())
      returned.open()
    }
    await began.wait()
    // When it is cancelled meanwhile
    store.cancelEffects(.all)
    goOn.signal()
    await returned.wait()
    await store.idle()
    // Then its action is refused and its first wait ends
    #expect(store.state.answers.isEmpty)
    #expect(waited.values == [false])
    #expect(diagnostics.count == 1)
  }

  @Test func `E6: nothing more is reduced of an effect that ignores its cancellation`() async {
    let diagnostics = Recorder<Diagnostic>()
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        _ = await Task { await gate.wait() }.value
        for id in 1...3 { effect.dispatch(Answer(id: id)) }
      },
      diagnostics: { diagnostics.record($0) })
    let handle = store.dispatch(Begin())
    store.cancelEffects(.all)
    // It goes on, and is waited for, until its body returns
    let finishing = Begun { await handle.finish() }
    #expect(!finishing.isOver)
    gate.open()
    await finishing.wait()
    #expect(store.state.answers.isEmpty)
    #expect(diagnostics.count == 3)
  }

  @Test func `E6: after cancel has returned nothing more is reduced, whatever is under way`() async
  {
    // Given effects that send as fast as they can
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        var refused = 0
        while refused < 10 {
          // A suspension, so that the first stretch of the body ends.
          await Task.yield()
          effect.dispatch(Answer())
          if effect.isCancelled { refused += 1 }
        }
      },
      diagnostics: { _ in })
    for round in 1...20 {
      for _ in 1...2 { store.dispatch(Begin()) }
      let reached = Recorder<Int>()
      let subscription = store.subscribe(\.answers.count) { reached.record($0) }
      await reached.waitForCount(20)
      // When they are cancelled
      store.cancelEffects(.all)
      // Then what is there now is all there will be
      let answers = store.state.answers.count
      await store.idle()
      #expect(store.state.answers.count == answers, "in round \(round)")
      subscription.cancel()
    }
  }

  /// What the body of a cancelled effect is waiting in.
  enum Wait: CaseIterable {
    case sleep, childTask, taskGroup, stream, throwingStream, continuation

    struct Ended: Error {}

    func callAsFunction(_ began: Gate) async throws {
      // Waits that only their being cancelled ends.
      switch self {
      case .sleep:
        began.open()
        try await Task.sleep(for: .seconds(3_600))
      case .childTask:
        async let child: Void = Task.sleep(for: .seconds(3_600))
        began.open()
        try await child
      case .taskGroup:
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 1...3 { group.addTask { try await Task.sleep(for: .seconds(3_600)) } }
          began.open()
          try await group.waitForAll()
        }
      case .stream:
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        began.open()
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        throw Ended()
      case .throwingStream:
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
        began.open()
        for try await _ in stream {}
        withExtendedLifetime(continuation) {}
        throw Ended()
      case .continuation:
        began.open()
        await Gate().wait()
        throw Ended()
      }
    }
  }

  @Test(arguments: Wait.allCases)
  func `E7: an effect that waits ends when it is cancelled, and its error is not reported`(
    wait: Wait
  ) async {
    let began = Gate()
    let failures = Recorder<String>()
    let store = makeStore(
      .effect(on: Begin.self) { _, _ in try await wait(began) },
      .on(EffectFailed.self) { failed, _ in failures.record("\(failed.error)") })
    let handle = store.dispatch(Begin())
    await began.wait()
    store.cancelEffects(.all)
    await handle.finish()
    #expect(failures.values.isEmpty)
    #expect(Begun { await store.idle() }.isOver)
  }

  @Test func `E8: cancelling what is not there does nothing and leaves nothing behind`() async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self, key: \.id, name: "work") { action, effect in
        await gate.wait()
        effect.dispatch(Answer(id: action.id))
      })
    // Neither before there was a run
    store.cancelEffects(.key(1))
    store.cancelEffects(.named("work", key: 1))
    store.cancelEffects(.named("other"))
    // nor beside one
    let handle = store.dispatch(Begin(id: 1))
    store.cancelEffects(.key(2))
    store.cancelEffects(.named("other", key: 1))
    gate.open()
    await handle.finish()
    // nor after it.
    store.cancelEffects(.key(1))
    await store.dispatch(Begin(id: 1)).finish()
    #expect(store.state.answers == [1, 1])
  }

  @Test func `E8: keys of different types never meet`() async {
    struct UserID: Hashable { var number: Int }
    struct PostID: Hashable { var number: Int }
    let keys: [any Hashable & Sendable] = [
      1, Int64(1), UInt8(1), 1.0, "1", UserID(number: 1), PostID(number: 1), Int?.some(1), [1],
    ]
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self, key: { keys[$0.id] }) { action, effect in
        await gate.wait()
        effect.dispatch(Answer(id: action.id))
      },
      diagnostics: { _ in })
    let handles = keys.indices.map { store.dispatch(Begin(id: $0)) }
    store.cancelEffects(.key(Int64(1)))
    store.cancelEffects(.key(PostID(number: 1)))
    gate.open()
    for handle in handles { await handle.finish() }
    #expect(store.state.answers.sorted() == [0, 2, 3, 4, 5, 7, 8])
  }

  @Test func `E8: the keys of two stores never meet`() async {
    let gate = Gate()
    let item = MiddlewareItem.effect(on: Begin.self, key: \.id, .latest, name: "work") {
      action, effect in
      await gate.wait()
      effect.dispatch(Answer(id: action.id))
    }
    let (first, second) = (makeStore(item, diagnostics: { _ in }), makeStore(item))
    let handles = [first.dispatch(Begin(id: 1)), second.dispatch(Begin(id: 1))]
    first.cancelEffects(.named("work", key: 1))
    gate.open()
    for handle in handles { await handle.finish() }
    #expect(first.state.answers.isEmpty)
    #expect(second.state.answers == [1])
  }

  @Test func `E8: a key is cancelled in every effect, a name with all its keys`() async {
    let store = makeStore(
      .effect(on: Begin.self, key: \.id, name: "first") { action, effect in
        if await Gate().wait() { return }
        effect.dispatch(Answer())
      },
      .effect(on: Begin.self, key: \.id, name: "second") { _, _ in await Gate().wait() },
      diagnostics: { _ in })
    let handles = [1, 2, 3].map { store.dispatch(Begin(id: $0)) }
    store.cancelEffects(.key(1))
    await handles[0].finish()
    let others = handles.dropFirst().map { handle in Begun { await handle.finish() } }
    store.cancelEffects(.named("first"))
    #expect(others.allSatisfy { !$0.isOver })
    store.cancelEffects(.named("second", key: 2))
    await others[0].wait()
    #expect(!others[1].isOver)
    store.cancelEffects(.all)
    await others[1].wait()
    await store.idle()
  }

  @Test func `E5: cancelling effects from a reducer is diagnosed and does nothing`() async {
    let diagnostics = Recorder<Diagnostic>()
    let box = StoreBox()
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        await gate.wait()
        effect.dispatch(Answer())
      },
      reducer: .combine(
        journalReducer,
        .on(Cancel.self) { _, _ in box.cancelEffects(.all) }),
      diagnostics: { diagnostics.record($0) })
    box.set(store)
    let handle = store.dispatch(Begin())
    store.dispatch(Cancel())
    guard case .callDuringReduction("cancelEffects", _) = diagnostics.values.first else {
      Issue.record("reported: \(diagnostics.values)")
      return
    }
    gate.open()
    await handle.finish()
    #expect(store.state.answers == [0])
    #expect(diagnostics.count == 1)
  }

  private struct Cancel: Action {}
}

/// Blocks the thread, in code that is async only in name.
private func block(on semaphore: DispatchSemaphore) { semaphore.wait() }

/// A key that tells when it is hashed or compared.
private struct AskedKey: Hashable {
  let number: Int
  let asked: Recorder<Int>

  static func == (first: AskedKey, second: AskedKey) -> Bool {
    first.asked.record(first.number)
    return first.number == second.number
  }

  func hash(into hasher: inout Hasher) {
    asked.record(number)
    hasher.combine(number)
  }
}
