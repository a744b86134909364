import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// Cancelling what one dispatch set off.
@Suite(.timeLimit(.minutes(5)))
struct DispatchHandleTests {
  private struct Child: Action { var id: Int }

  /// An effect of `Begin` that sends a child and waits, and one of the child that waits.
  private static func family(_ began: Recorder<String>, _ ended: Recorder<String>)
    -> [MiddlewareItem]
  {
    [
      .effect(on: Begin.self, name: "parent") { begin, effect in
        effect.dispatch(Child(id: begin.id))
        began.record("parent \(begin.id)")
        if await !Gate().wait() { ended.record("parent \(begin.id)") }
        effect.dispatch(Answer(id: begin.id))
      },
      .effect(on: Child.self, name: "child") { child, effect in
        began.record("child \(child.id)")
        if await !Gate().wait() { ended.record("child \(child.id)") }
        effect.dispatch(Answer(id: child.id))
      },
    ]
  }

  /// A store that takes the late answers of cancelled effects for what they are.
  private static func makeTolerantStore(
    _ items: [MiddlewareItem], links: [Middleware<Journal>] = []
  ) -> Store<Journal> {
    Store(
      initialState: Journal(), reducer: journalReducer,
      middleware: links + [createMiddleware(items: items)],
      diagnostics: { diagnostic in
        if case .actionAfterEffectCancelled = diagnostic { return }
        Issue.record("unexpected: \(diagnostic)")
      })
  }

  @Test(arguments: [false, true])
  func `S16: cancelling ends the effects of a dispatch and of the actions they sent, no other's`(
    throughLink: Bool
  ) async {
    // Given two dispatches with the same effects
    let (began, ended) = (Recorder<String>(), Recorder<String>())
    let store = Self.makeTolerantStore(
      Self.family(began, ended),
      links: throughLink ? [Middleware { action, _, next in next(action) }] : [])
    let (first, second) = (store.dispatch(Begin(id: 1)), store.dispatch(Begin(id: 2)))
    await began.waitForCount(4)

    // When one is cancelled
    first.cancel()

    // Then its effects end and send nothing more, and the other's go on
    await first.finish()
    #expect(Set(ended.values) == ["parent 1", "child 1"])
    #expect(store.effects.current == 2)
    second.cancel()
    await store.idle()
    #expect(ended.count == 4)
    #expect(store.state == Journal(begun: [1, 2]))
  }

  @Test func `S16: cancelling a child leaves its parent, and one that ended leaves its children`()
    async
  {
    // Given a parent that ends and a child that waits
    let handles = Recorder<DispatchHandle>()
    let (mayEnd, hasEnded) = (Gate(), Gate())
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        for id in 1...2 { handles.record(effect.dispatch(Child(id: id))) }
        await mayEnd.wait()
        effect.dispatch(Answer(id: 10))
        hasEnded.open()
      },
      .effect(on: Child.self) { _, _ in await Gate().wait() })
    let parent = store.dispatch(Begin())

    // When one child is cancelled
    handles.values[0].cancel()
    await handles.values[0].finish()
    #expect(store.effects.current == 2)

    // Then the parent and the other child go on, and the parent, when it has ended, still has that
    mayEnd.open()
    await hasEnded.wait()
    #expect(store.state.answers == [10])
    parent.cancel()
    await parent.finish()
    await store.idle()
  }

  @Test func `S16: cancelled effects that are queued never begin, and others of the queue do`()
    async
  {
    let began = Recorder<Int>()
    let store = makeStore(
      HeldDrain.item, .effect(on: Begin.self) { action, _ in began.record(action.id) })
    let drain = await HeldDrain.begin(on: store)
    let handles = (1...3).map { store.dispatch(Begin(id: $0)) }

    handles[1].cancel()
    await drain.finish()
    await store.idle()

    #expect(began.values == [1, 3])
  }

  @Test func `S16: an effect that ignores that its dispatch was cancelled sends nothing more`()
    async
  {
    let reports = Recorder<String>()
    let (arrived, goOn) = (Gate(), Gate())
    let store = makeStore(
      .effect(on: Begin.self, name: "deaf") { _, effect in
        effect.dispatch(Answer(id: 1))
        // A task of its own is not cancelled with the effect.
        await Task.detached {
          arrived.open()
          await goOn.wait()
        }.value
        #expect(effect.isCancelled)
        effect.dispatch(Answer(id: 2))
      }, diagnostics: { reports.record("\($0)") })
    let handle = store.dispatch(Begin())
    await arrived.wait()

    handle.cancel()
    let finishing = Begun { await handle.finish() }
    #expect(!finishing.isOver, "the body has not returned")
    goOn.open()
    await finishing.wait()

    #expect(store.state.answers == [1])
    #expect(reports.count == 1)
    #expect(reports.values.first?.contains("The effect ‘deaf’") == true)
  }

  @Test func `S16: cancelling twice, after the end, or without the store is no error`() async {
    let gate = Gate()
    var store: Store<Journal>? = makeStore(
      .effect(on: Begin.self) { _, _ in await gate.wait() },
      .effect(on: Answer.self) { _, _ in })
    let waiting = store?.dispatch(Begin())
    let ended = store?.dispatch(Answer())
    await ended?.finish()
    ended?.cancel()
    waiting?.cancel()
    waiting?.cancel()
    await waiting?.finish()
    waiting?.cancel()
    let last = store?.dispatch(Begin())
    store = nil
    last?.cancel()
    await last?.finish()
  }

  @Test func `S16: cancelling a dispatch that set nothing off, or was swallowed, is no error`() {
    let store = makeStore(
      .effect(on: Begin.self) { _, _ in },
      links: [Middleware { action, _, next in action is Begin ? .swallowed : next(action) }])
    store.dispatch(Answer(id: 1)).cancel()
    store.dispatch(Begin(id: 1)).cancel()
    store.dispatch(Answer(id: 2))
    #expect(store.state == Journal(answers: [1, 2]))
  }

  @Test func `S16: cancelling in a reducer is diagnosed and does nothing`() async {
    // Given a reducer that cancels what another action set off
    let reports = Recorder<String>()
    let handle = Box<DispatchHandle?>(nil)
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        await gate.wait()
        effect.dispatch(Answer(id: 1))
      },
      reducer: .combine(
        journalReducer, .on(Child.self) { _, _ in handle.value?.cancel() }),
      diagnostics: { reports.record("\($0)") })
    let begun = store.dispatch(Begin())
    handle.value = begun

    // When
    store.dispatch(Child(id: 1))

    // Then
    #expect(reports.count == 1)
    #expect(
      reports.values.first?.hasPrefix(
        """
        `cancel` was called on a store from one of its own reducers, selectors or `==` functions \
        while it reduced Child (dispatch #2 at SideEffectsTests/DispatchHandleTests.swift:
        """) == true)
    gate.open()
    await begun.finish()
    #expect(store.state.answers == [1])
  }

  @Test func `S16: cancelling ends what an item, a link and a latest effect sent, too`() async {
    // Given a dispatch for which an item and a link send, into an effect that has replaced a run
    let ended = Recorder<Int>()
    let store = makeStore(
      .on(Begin.self) { _, dispatch in dispatch(Child(id: 1)) },
      .effect(on: Child.self, .latest, name: "latest") { child, _ in
        if await !Gate().wait() { ended.record(child.id) }
      },
      .effect(on: Answer.self) { answer, _ in
        if await !Gate().wait() { ended.record(answer.id) }
      },
      links: [
        Middleware { action, context, next in
          if action is Begin { context.dispatch(Answer(id: 10)) }
          return next(action)
        }
      ])
    let other = store.dispatch(Child(id: 0))
    let handle = store.dispatch(Begin())
    await other.finish()
    #expect(ended.values == [0])

    // When
    handle.cancel()
    await handle.finish()

    // Then
    #expect(ended.values.sorted() == [0, 1, 10])
    await store.idle()
  }

  @Test func `S16: an effect may cancel the dispatch it works for, and then sends nothing`() async {
    let handle = Recorder<DispatchHandle>()
    let store = Self.makeTolerantStore([
      .effect(on: Begin.self) { _, effect in
        await handle.waitForCount(1)[0].cancel()
        #expect(effect.isCancelled)
        #expect(Task.isCancelled)
        effect.dispatch(Answer(id: 1))
      }
    ])
    let begun = store.dispatch(Begin())
    handle.record(begun)
    await begun.finish()
    #expect(store.state.answers == [])
  }

  @Test func `S16: after cancel returns nothing more is reduced, whatever ends meanwhile`() async {
    // Given effects that end, send and start others on the pool while threads cancel them
    let rounds = 200
    let store = Self.makeTolerantStore([
      .effect(on: Begin.self) { begin, effect in
        for _ in 0..<5 {
          // A suspension: what follows is sent from the pool.
          await Task.yield()
          effect.dispatch(Child(id: begin.id))
        }
      },
      .effect(on: Child.self) { child, effect in
        // The same.
        await Task.yield()
        effect.dispatch(Answer(id: child.id))
      },
    ])
    let late = Recorder<Int>()

    // When
    await runOnThreads(4) { thread in
      for round in 0..<rounds {
        let id = thread * rounds + round
        let handle = store.dispatch(Begin(id: id))
        handle.cancel()
        let count = store.state.answers.count { $0 == id }
        handle.cancel()
        if round.isMultiple(of: 10) { store.dispatch(Begin(id: -1)).cancel() }
        if store.state.answers.count(where: { $0 == id }) != count { late.record(id) }
      }
    }
    await store.idle()

    // Then
    #expect(late.values == [])
    #expect(store.effects.current == 0)
    #expect(store.liveEffects().isEmpty)
  }
}
