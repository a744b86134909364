import Middleware
import SideEffects
import Store
import StoreTesting
import TestSupport
import Testing

/// Effects that are bound to an element of the state.
@Suite(.timeLimit(.minutes(5)))
struct EffectPresenceTests {
  private struct Remove: Action {
    var id: Int
  }

  private static let reducer = Reducer<Journal>.combine(
    journalReducer,
    .on(Remove.self) { journal, remove in journal.begun.removeAll { $0 == remove.id } })

  private static func work(_ ends: Recorder<String>, _ policy: EffectPolicy = .every)
    -> MiddlewareItem
  {
    .effect(on: Begin.self, key: \.id, policy, name: "work") { begin, effect in
      do {
        try await effect.sleep(for: .seconds(1))
      } catch {
        ends.record("\(begin.id) cancelled")
      }
      effect.dispatch(Answer(id: begin.id))
    }
  }

  private static func bound(_ item: MiddlewareItem) -> StateItem<Journal> {
    item.cancelled(unless: { (state: Journal, id: Int) in state.begun.contains(id) })
  }

  @Test func `E33: removing an element cancels the effects bound to it, and no others`() async {
    let ends = Recorder<String>()
    let bench = TimedStore(
      Self.bound(Self.work(ends)), reducer: Self.reducer, diagnostics: { _ in })
    for id in 1...3 { bench.store.dispatch(Begin(id: id)) }
    bench.store.dispatch(Remove(id: 2))
    #expect(bench.store.liveEffects().map { $0.key as? Int } == [1, 3])
    await bench.advance(by: .seconds(1))
    #expect(ends.values == ["2 cancelled"])
    #expect(bench.answers == [1, 3])
    await bench.expectRest()
  }

  @Test func `E33: in the very commit, nothing of the effect is reduced any more`() async {
    // Given a drain that is held up, so that no follow-up of the removal can happen
    let contexts = Recorder<EffectContext>()
    let gate = Gate()
    let store = Store(
      initialState: Journal(), reducer: Self.reducer,
      middleware: [
        createMiddleware(items: [
          StateItem(HeldDrain.item),
          Self.bound(
            .effect(on: Begin.self, key: \.id, name: "work") { _, effect in
              contexts.record(effect)
              await gate.wait()
            }),
        ])
      ], diagnostics: { _ in })
    store.dispatch(Begin(id: 1))
    let drain = await HeldDrain.begin(on: store)
    store.dispatch(Remove(id: 1))
    #expect(contexts.values[0].isCancelled)
    contexts.values[0].dispatch(Answer(id: 1))
    #expect(store.state.answers.isEmpty)
    #expect(store.liveEffects().isEmpty)
    await drain.finish()
    await store.idle()
  }

  @Test(arguments: [EffectPolicy.queue, .keepLatest, .debounce(for: .seconds(5))])
  func `E33: those that wait are cancelled too, and their handles end`(policy: EffectPolicy) async {
    let ends = Recorder<String>()
    let bench = TimedStore(
      Self.bound(Self.work(ends, policy)), reducer: Self.reducer, diagnostics: { _ in })
    let handles = [1, 1, 2].map { bench.store.dispatch(Begin(id: $0)) }
    bench.store.dispatch(Remove(id: 1))
    await bench.settle()
    await handles[1].finish()
    #expect(bench.store.liveEffects().map { $0.key as? Int } == [2])
    await bench.clock.run()
    #expect(bench.answers == [2])
    await bench.expectRest()
  }

  @Test(arguments: [true, false])
  func `E33: effects in the background are bound too`(isBackgroundFirst: Bool) async {
    let ends = Recorder<String>()
    let work = Self.work(ends)
    let item =
      isBackgroundFirst ? Self.bound(work.background()) : Self.bound(work).background()
    let bench = TimedStore(item, reducer: Self.reducer, diagnostics: { _ in })
    for id in 1...2 { bench.store.dispatch(Begin(id: id)) }
    bench.store.dispatch(Remove(id: 1))
    #expect(bench.store.liveEffects().map { $0.key as? Int } == [2])
    #expect(bench.store.liveEffects().map(\.isBackground) == [true])
    await bench.clock.run()
    #expect(bench.answers == [2])
    await bench.expectRest()
  }

  @Test func `E33: runs about other things, or about nothing, stay`() async {
    let bench = TimedStore(
      Self.bound(
        .effect(on: Begin.self, name: "keyless") { _, effect in
          try await effect.sleep(for: .seconds(1))
          effect.dispatch(Answer(id: 1))
        }),
      Self.bound(
        .effect(on: Begin.self, key: { "\($0.id)" }, name: "text") { _, effect in
          try await effect.sleep(for: .seconds(1))
          effect.dispatch(Answer(id: 2))
        }), reducer: Self.reducer)
    bench.store.dispatch(Begin(id: 1))
    bench.store.dispatch(Remove(id: 1))
    await bench.clock.run()
    #expect(bench.answers == [1, 2])
    await bench.expectRest()
  }

  @Test func `E33: an optional child that is removed ends its effects`() async {
    struct App: Sendable {
      var child: Int?
      var answers = 0
    }
    enum Child: Action, Equatable { case open, load, close, loaded }
    let store = Store(
      initialState: App(),
      reducer: .on(Child.self) { app, action in
        switch action {
        case .open: app.child = 0
        case .close: app.child = nil
        case .loaded: app.answers += 1
        case .load: break
        }
      },
      middleware: [
        createMiddleware(items: [
          MiddlewareItem.effect(
            on: Child.self, for: { $0 == .load ? () : nil }, key: { _ in "child" }, name: "load"
          ) { _, effect in
            _ = await Gate().wait()
            effect.dispatch(Child.loaded)
          }.cancelled(unless: { (app: App, _: String) in app.child != nil })
        ])
      ], diagnostics: { _ in })
    store.dispatch(Child.open)
    store.dispatch(Child.load)
    #expect(store.liveEffects().count == 1)
    store.dispatch(Child.close)
    #expect(store.liveEffects().isEmpty)
    await store.idle()
    #expect(store.state.answers == 0)
  }

  @Test func `E33: a predicate that calls the store is found`() async {
    let (box, diagnostics) = (StoreBox(), Recorder<Diagnostic>())
    let bench = TimedStore(
      Self.work(Recorder()).cancelled(unless: { (_: Journal, _: Int) in
        box.store?.dispatch(Answer(id: 9))
        return true
      }), reducer: Self.reducer, diagnostics: { diagnostics.record($0) })
    box.set(bench.store)
    bench.store.dispatch(Begin(id: 1))
    bench.store.dispatch(Begin(id: 2))
    await bench.clock.run()
    #expect(bench.answers == [1, 2])
    guard case .callDuringReduction(call: "dispatch", _) = diagnostics.values.first else {
      Issue.record("reported: \(diagnostics.values)")
      return
    }
    await bench.expectRest()
  }
}
