import Dispatch
import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EffectWaitingTests {
  private struct Next: Action {
    var depth: Int
  }

  @Test func `S16: finish waits for the effects of an action`() async {
    let gates = [Gate(), Gate()]
    let store = makeStore(
      .effect(on: Begin.self) { _, _ in await gates[0].wait() },
      .effect(on: Begin.self) { _, _ in await gates[1].wait() })
    let handle = store.dispatch(Begin())
    let finishing = Begun { await handle.finish() }
    gates[0].open()
    #expect(!finishing.isOver)
    gates[1].open()
    await finishing.wait()
  }

  @Test func `S16: finish waits for the effects of the actions that effects sent`() async {
    // Given an effect whose action starts one whose action starts one that waits
    let gate = Gate()
    let store = makeStore(
      .effect(on: Next.self) { next, effect in
        // A suspension, so that the action comes when the dispatch has returned.
        await Task.yield()
        if next.depth < 3 { return _ = effect.dispatch(Next(depth: next.depth + 1)) }
        await gate.wait()
        effect.dispatch(Answer(id: next.depth))
      })
    let handle = store.dispatch(Next(depth: 1))
    // When all but the last have ended
    let last = Recorder<Int>()
    let finishing = Begun {
      await handle.finish()
      last.record(store.state.answers.count)
    }
    #expect(!finishing.isOver)
    gate.open()
    await finishing.wait()
    // Then finish has waited for that, too
    #expect(last.values == [1])
  }

  @Test func `S16: finish outlasts an effect that ended before the one it started`() async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in _ = effect.dispatch(Next(depth: 1)) },
      .effect(on: Next.self) { _, _ in await gate.wait() })
    let handle = store.dispatch(Begin())
    // Only the child is alive when dispatch has returned.
    let finishing = Begun { await handle.finish() }
    #expect(!finishing.isOver)
    gate.open()
    await finishing.wait()
    await store.idle()
  }

  @Test func `S16: finish does not wait for the actions of observers`() async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in _ = effect.dispatch(Answer(id: 1)) },
      .effect(on: Next.self) { _, _ in await gate.wait() })
    let subscription = store.subscribe(\.answers, initial: false) { _ in
      store.dispatch(Next(depth: 1))
    }
    await store.dispatch(Begin()).finish()
    #expect(store.state.answers == [1])
    // But it is not idle before them.
    let idling = Begun { await store.idle() }
    #expect(!idling.isOver)
    gate.open()
    await idling.wait()
    subscription.cancel()
  }

  @Test func `S16: finish waits for what an item sends while it handles an action`() async {
    let gate = Gate()
    let store = makeStore(
      .on(Begin.self) { _, dispatch in dispatch(Next(depth: 0)) },
      .effect(on: Next.self) { next, _ in await gate.wait() })
    let handle = store.dispatch(Begin())
    let finishing = Begun { await handle.finish() }
    #expect(!finishing.isOver)
    gate.open()
    await finishing.wait()
  }

  @Test(arguments: [true, false])
  func `S16: finish waits for what a link sends while it handles an action`(early: Bool) async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Next.self) { next, _ in await gate.wait() },
      links: [
        Middleware { action, context, next in
          guard action is Begin else { return next(action) }
          if early { context.dispatch(Next(depth: 0)) }
          defer { if !early { context.dispatch(Next(depth: 0)) } }
          return next(action)
        }
      ])
    let handle = store.dispatch(Begin())
    let finishing = Begun { await handle.finish() }
    #expect(!finishing.isOver)
    gate.open()
    await finishing.wait()
  }

  @Test func `S16: finish waits until observers were told, also by another thread`() async {
    let told = Gate()
    let store = makeStore(HeldDrain.item)
    let subscription = store.subscribe(\.answers, initial: false) { _ in told.open() }
    let drain = await HeldDrain.begin(on: store)
    let handle = store.dispatch(Answer())
    let finishing = Begun { await handle.finish() }
    #expect(!finishing.isOver)
    #expect(!told.isOpen)
    await drain.finish()
    await finishing.wait()
    #expect(told.isOpen)
    subscription.cancel()
  }

  @Test func `S16: finish and idle return early when their waiter is cancelled, ending nothing`()
    async
  {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        await gate.wait()
        effect.dispatch(Answer(id: 1))
      })
    let handle = store.dispatch(Begin())
    let waiters = [Begun { await handle.finish() }, Begun { await store.idle() }]
    #expect(waiters.allSatisfy { !$0.isOver })
    for waiter in waiters {
      waiter.cancel()
      await waiter.wait()
    }
    #expect(store.state.answers.isEmpty)
    gate.open()
    await handle.finish()
    #expect(store.state.answers == [1])
  }

  @Test func `S16: finish does not begin to wait in a task that is cancelled already`() async {
    let gate = Gate()
    let store = makeStore(.effect(on: Begin.self) { _, _ in await gate.wait() })
    let handle = store.dispatch(Begin())
    let begin = Gate()
    let waiter = Begun {
      await begin.wait()
      await handle.finish()
      await store.idle()
    }
    waiter.cancel()
    await waiter.wait()
    gate.open()
    await handle.finish()
  }

  @Test func `S16: any number of tasks may wait, also twice and afterwards`() async {
    let gate = Gate()
    let store = makeStore(.effect(on: Begin.self) { _, _ in await gate.wait() })
    let handle = store.dispatch(Begin())
    let waiters = (1...100).flatMap { _ in
      [Begun { await handle.finish() }, Begun { await store.idle() }]
    }
    #expect(waiters.allSatisfy { !$0.isOver })
    gate.open()
    for waiter in waiters { await waiter.wait() }
    #expect(Begun { await handle.finish() }.isOver)
    await store.idle()
    #expect(Begun { await store.idle() }.isOver)
  }

  @Test func `S16: an effect that waits for its own end is told so and does not hang`() async throws
  {
    // Given an effect that awaits the dispatch it works for, through another effect's dispatch
    let diagnostics = Recorder<Diagnostic>()
    let handles = Recorder<DispatchHandle>()
    let store = makeStore(
      HeldDrain.item,
      .effect(on: Begin.self) { _, effect in _ = effect.dispatch(Next(depth: 1)) },
      .effect(on: Next.self, name: "selfish") { _, effect in
        let handle = await handles.waitForCount(1)[0]
        await handle.finish()
        effect.dispatch(Answer(id: 1))
      },
      diagnostics: { diagnostics.record($0) })
    let drain = await HeldDrain.begin(on: store)
    handles.record(store.dispatch(Begin()))
    await drain.finish()
    // When everything has come to its end
    await store.idle()
    // Then the effect went on, and the mistake is known
    #expect(store.state.answers == [1])
    let diagnostic = try #require(diagnostics.values.first)
    #expect(diagnostics.count == 1)
    guard case .effectWaitsForItself(effect: "selfish", call: "finish()") = diagnostic else {
      Issue.record("reported: \(diagnostic)")
      return
    }
    #expect(diagnostic.severity == .warning)
    #expect(
      diagnostic.description == """
        The effect ‘selfish’ awaits `finish()`, which cannot return before that effect ends; the \
        call returned at once. Let the effect return, or wait outside of effects.
        """)
  }

  @Test func `S16: an effect that waits for the store to be idle is told so and does not hang`()
    async
  {
    let diagnostics = Recorder<Diagnostic>()
    let box = StoreBox()
    let store = makeStore(
      .effect(on: Begin.self, name: "selfish") { _, effect in
        await box.store?.idle()
        effect.dispatch(Answer(id: 1))
      },
      diagnostics: { diagnostics.record($0) })
    box.set(store)
    await store.dispatch(Begin()).finish()
    #expect(store.state.answers == [1])
    guard case .effectWaitsForItself(effect: "selfish", call: "idle()") = diagnostics.values.first
    else {
      Issue.record("reported: \(diagnostics.values)")
      return
    }
  }

  @Test func `S16: an effect may wait for what it sent, and for another store`() async {
    let other = makeStore(.effect(on: Begin.self) { _, effect in await Task.yield() })
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        await effect.dispatch(Next(depth: 1)).finish()
        await other.dispatch(Begin()).finish()
        await other.idle()
        effect.dispatch(Answer(id: 2))
      },
      .effect(on: Next.self) { _, effect in
        await Task.yield()
        effect.dispatch(Answer(id: 1))
      })
    await store.dispatch(Begin()).finish()
    #expect(store.state.answers == [1, 2])
  }

  @Test func `S16: effects of two stores that wait for each other's rest are told so`() async {
    let diagnostics = Recorder<String>()
    let (gate, boxes) = (Gate(), [StoreBox(), StoreBox()])
    let stores = boxes.indices.map { index in
      makeStore(
        .effect(on: Begin.self) { _, effect in
          await gate.wait()
          await boxes[1 - index].store?.idle()
          effect.dispatch(Answer(id: index))
        },
        diagnostics: { diagnostics.record("\($0)") })
    }
    for (box, store) in zip(boxes, stores) { box.set(store) }
    let handles = stores.map { $0.dispatch(Begin()) }
    gate.open()
    for handle in handles { await handle.finish() }
    #expect(stores.map(\.state.answers) == [[0], [1]])
    #expect(diagnostics.values.count == 1)
    #expect(diagnostics.values.first?.contains("idle()") == true)
  }

  @Test func `S16: waiting for the rest of a store that waits for the waiter is told`() async {
    let diagnostics = Recorder<String>()
    let (gate, box) = (Gate(), StoreBox())
    let handles = Recorder<DispatchHandle>()
    let other = makeStore(
      .effect(on: Begin.self) { _, _ in
        await handles.waitForCount(1)[0].finish()
      },
      diagnostics: { diagnostics.record("\($0)") })
    box.set(other)
    let store = makeStore(
      .effect(on: Begin.self) { _, _ in
        await gate.wait()
        await box.store?.idle()
      },
      diagnostics: { diagnostics.record("\($0)") })
    handles.record(store.dispatch(Begin()))
    let waiting = other.dispatch(Begin())
    gate.open()
    await waiting.finish()
    await store.idle()
    #expect(diagnostics.values.count == 1)
  }

  @Test func `S16: a task that outlives its effect may wait for the store to be idle`() async {
    let (ended, over) = (Gate(), Gate())
    let box = StoreBox()
    let store = makeStore(
      .effect(on: Begin.self) { _, _ in
        Task {
          await ended.wait()
          await box.store?.idle()
          over.open()
        }
      })
    box.set(store)
    await store.dispatch(Begin()).finish()
    await store.idle()
    ended.open()
    await over.wait()
  }

  @Test func `S16: an observer told on an effect's thread is not taken for the effect`() async {
    // Given an observer that starts a task which waits for the store
    let waiters = Recorder<Task<Void, Never>>()
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        await Task.yield()
        effect.dispatch(Answer())
        await gate.wait()
      })
    let subscription = store.subscribe(\.answers, initial: false) { [weak store] _ in
      waiters.record(startedTask { await store?.idle() })
    }
    // When an effect's dispatch is what tells it
    store.dispatch(Begin())
    let waiter = await waiters.waitForCount(1)[0]
    gate.open()
    // Then it waits like anybody else, and nothing is reported
    await waiter.value
    #expect(Begun { await store.idle() }.isOver)
    subscription.cancel()
  }

  @Test func `S16: finish waits for a child that began before its dispatch had returned`() async {
    // Given a link that holds its dispatch until another thread has started the effect of it,
    // and that has ended after starting another
    let (childBegan, gate) = (Gate(), Gate())
    let goOn = DispatchSemaphore(value: 0)
    let drains = Recorder<HeldDrain>()
    let store = makeStore(
      HeldDrain.item,
      .effect(on: Begin.self) { _, effect in
        _ = effect.dispatch(Next(depth: 1))
      },
      .effect(on: Next.self) { _, effect in
        childBegan.open()
        goOn.signal()
        await gate.wait()
      },
      links: [
        Middleware { action, _, next in
          let result = next(action)
          if action is Begin {
            drains.values[0].release()
            goOn.wait()
          }
          return result
        }
      ])
    drains.record(await HeldDrain.begin(on: store))
    let handles = Recorder<DispatchHandle>()
    onNewThread { handles.record(store.dispatch(Begin())) }
    let handle = await handles.waitForCount(1)[0]
    #expect(childBegan.isOpen)
    // Then its handle still waits for that
    await drains.values[0].finish()
    let finishing = Begun { await handle.finish() }
    #expect(!finishing.isOver)
    gate.open()
    await finishing.wait()
    await store.idle()
  }
}
