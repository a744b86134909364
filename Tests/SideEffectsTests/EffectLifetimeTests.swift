import Middleware
import SideEffects
import Store
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EffectLifetimeTests {
  /// Something of the user's that must not outlive its store.
  private final class Belonging: Sendable {
    private let count: Count

    init(_ count: Count) {
      self.count = count
      count.add(1)
    }

    deinit { count.add(-1) }
  }

  private final class Count: Sendable {
    private let value = Atomic<Int>(0)
    var now: Int { value.load(ordering: .acquiring) }
    func add(_ amount: Int) { value.add(amount, ordering: .acquiringAndReleasing) }
  }

  private struct Kept: Sendable {
    var belonging: Belonging
    var begun = 0
  }

  /// The one reference to a store, which several threads may use and one of them drops.
  private final class LastReference: Sendable {
    private let store: Lock<Store<Journal>?>

    init(_ store: sending Store<Journal>?) { self.store = Lock(store) }

    func keep(_ new: Store<Journal>) { store.withLock { $0 = new } }

    func borrow() -> Store<Journal>? { store.withLock { $0 } }

    func drop() {
      let last = store.withLock { store in
        defer { store = nil }
        return store
      }
      _ = consume last
    }
  }

  @Test func `S10: dropping a store frees it with its state and items, and ends its effects`() async
  {
    // Given a store with an effect under way, and something of ours in every part of it
    let count = Count()
    let ended = Recorder<Bool>()
    weak var weakStore: Store<Kept>?
    do {
      let (inItem, inLink, inReducer) = (Belonging(count), Belonging(count), Belonging(count))
      let store = Store(
        initialState: Kept(belonging: Belonging(count)),
        reducer: .on(Begin.self) { kept, _ in
          withExtendedLifetime(inReducer) { kept.begun += 1 }
        },
        middleware: [
          Middleware { action, _, next in withExtendedLifetime(inLink) { next(action) } },
          createMiddleware(items: [
            .effect(on: Begin.self) { _, _ in
              let wait = await Gate().wait()
              withExtendedLifetime(inItem) { ended.record(wait) }
            }
          ]),
        ])
      weakStore = store
      store.dispatch(Begin())
      #expect(store.state.begun == 1)
      #expect(count.now == 4)
    }
    // When the last reference is gone
    #expect(weakStore == nil)
    // Then the effect was cancelled,
    #expect(await ended.waitForCount(1) == [false])
  }

  @Test func `S10: nothing of a store is left once its effects have returned`() async {
    let count = Count()
    let ended = Gate()
    weak var weakBelonging: Belonging?
    do {
      let belonging = Belonging(count)
      weakBelonging = belonging
      let store = Store(
        initialState: Kept(belonging: belonging), reducer: .combine([]),
        middleware: [
          createMiddleware(items: [
            .effect(on: Begin.self, key: { _ in ObjectIdentifier(belonging) }, .latest) { _, _ in
              withExtendedLifetime(belonging) {}
            }
          ])
        ])
      for _ in 1...10 { await store.dispatch(Begin()).finish() }
      await store.idle()
      ended.open()
    }
    #expect(weakBelonging == nil)
    #expect(count.now == 0)
  }

  @Test func `S10: an effect that ignores the end of its store changes and reports nothing`() async
  {
    let diagnostics = Recorder<Diagnostic>()
    let (gate, over) = (Gate(), Gate())
    var store: Store<Journal>? = makeStore(
      .effect(on: Begin.self) { _, effect in
        _ = await Task { await gate.wait() }.value
        let handle = effect.dispatch(Answer())
        await handle.finish()
        #expect(effect.isCancelled)
        over.open()
      },
      diagnostics: { diagnostics.record($0) })
    store?.dispatch(Begin())
    store = nil
    gate.open()
    await over.wait()
    #expect(diagnostics.values.isEmpty)
  }

  @Test func `S10: the last reference may go on any thread, with effects of all ages`() async {
    let began = Recorder<Int>()
    let ended = Recorder<Int>()
    for round in 1...50 {
      let store = LastReference(
        makeStore(
          .effect(on: Begin.self) { action, effect in
            began.record(action.id)
            await Gate().wait()
            ended.record(action.id)
          }))
      await withTaskGroup(of: Void.self) { group in
        for id in 1...4 { group.addTask { _ = store.borrow()?.dispatch(Begin(id: id)) } }
        group.addTask { store.drop() }
      }
      // Everything that began has ended, though nobody cancelled it.
      let count = began.count
      #expect(await ended.waitForCount(count).count == count, "in round \(round)")
    }
  }

  @Test func `S10: a dispatch on the stack keeps the store until it returns`() async {
    let observed = Recorder<Int>()
    let reference = LastReference(nil)
    let store = makeStore(
      .on(Begin.self) { _, dispatch in
        reference.drop()
        dispatch(Answer(id: 1))
      },
      .on(Answer.self) { action, _ in observed.record(action.id) })
    weak let weakStore = store
    reference.keep(consume store)
    reference.borrow()?.dispatch(Begin())
    #expect(observed.values == [1])
    #expect(weakStore == nil)
  }

  @Test func `S9: what was kept of a store does nothing when that is gone`() async throws {
    // Given everything that can be kept
    let functions = Recorder<DispatchFunction>()
    let contexts = Recorder<EffectContext>()
    let nexts = Recorder<Next<Journal>>()
    let links = Recorder<LinkContext<Journal>>()
    let readers = Recorder<StateReader<[Int]>>()
    let gate = Gate()
    let stateItem = StateItem<Journal>.effect(on: Begin.self, reading: \.begun) {
      _, effect, begun in
      contexts.record(effect)
      readers.record(begun)
      await gate.wait()
    }
    var store: Store<Journal>? = Store(
      initialState: Journal(), reducer: journalReducer,
      middleware: [
        Middleware { action, context, next in
          links.record(context)
          nexts.record(next)
          return next(action)
        },
        createMiddleware(items: [
          stateItem, StateItem(.on(Begin.self) { _, dispatch in functions.record(dispatch) }),
        ]),
      ],
      diagnostics: { Issue.record("unexpected: \($0)") })
    let handle = try #require(store?.dispatch(Begin()))
    #expect(readers.values[0]() == [0])
    // When the store is gone
    store = nil
    // Then all of it is still safe to call, and none of it does anything
    #expect(readers.values[0]() == nil)
    #expect(links.values[0].state == nil)
    #expect(nexts.values[0](Answer()) == .swallowed)
    let (result, value) = nexts.values[0](Answer(), reading: \.answers)
    #expect(result == .swallowed)
    #expect(value == nil)
    let handles = [
      functions.values[0](Answer()), contexts.values[0].dispatch(Answer()),
      links.values[0].dispatch(Answer()),
    ]
    for handle in handles { #expect(Begun { await handle.finish() }.isOver) }
    _ = handle
  }

  @Test func `S9: a context kept beyond its effect and its store does nothing`() async throws {
    let contexts = Recorder<EffectContext>()
    var store: Store<Journal>? = makeStore(
      .effect(on: Begin.self) { _, effect in contexts.record(effect) })
    await store?.dispatch(Begin()).finish()
    store = nil
    contexts.values[0].dispatch(Answer())
  }

  @Test func `S10: waiting ends with the store`() async {
    let ended = Gate()
    var store: Store<Journal>? = makeStore(
      .effect(on: Begin.self) { _, _ in
        await Gate().wait()
        ended.open()
      })
    let handle = store?.dispatch(Begin())
    let finishing = Begun { await handle?.finish() }
    #expect(!finishing.isOver)
    store = nil
    await ended.wait()
    await finishing.wait()
  }
}
