import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// Actions of which each is sent because of the one before.
@Suite(.timeLimit(.minutes(5)))
struct LoopWatchTests {
  /// One generation of a chain.
  private struct Hop: Action {
    var number: Int
    /// The next one, until the last.
    var next: Hop? { number < last ? Hop(number: number + 1, last: last) : nil }
    var last: Int
  }

  /// Who sends the next generation.
  enum Sender: CaseIterable { case observer, item, effect, suspendingEffect, link }

  private static let reducer = Reducer<Hop?>.on(Hop.self) { $0 = $1 }

  /// Runs a chain of so many generations after the first, and returns what was reported.
  private func run(_ generations: Int, sentBy sender: Sender) async -> [Diagnostic] {
    let reports = Recorder<Diagnostic>()
    let kept = Box<LinkContext<Hop?>?>(nil)
    let item = MiddlewareItem.on(Hop.self) { hop, dispatch in
      if sender == .item, let next = hop.next { dispatch(next) }
    }
    let effect = MiddlewareItem.effect(on: Hop.self, for: { $0.next }) { next, effect in
      if sender == .suspendingEffect { await Task.yield() }
      effect.dispatch(next)
    }
    let link = Middleware<Hop?> { action, context, next in
      kept.value = context
      return next(action)
    }
    let isEffect = sender == .effect || sender == .suspendingEffect
    let store = Store(
      initialState: nil, reducer: Self.reducer,
      middleware: (sender == .link ? [link] : []) + [
        createMiddleware(items: [isEffect ? effect : item])
      ], diagnostics: { reports.record($0) })
    let subscription = store.subscribe({ $0?.number }, initial: false) { [unowned store] _ in
      if sender == .observer, let next = store.state?.next { store.dispatch(next) }
    }
    let first = Hop(number: 0, last: generations)
    await store.dispatch(first).finish()
    // A link that answers at once recurses, so it does it from what it kept.
    if sender == .link { while let next = store.state?.next { kept.value?.dispatch(next) } }
    await store.idle()
    #expect(store.state?.number == generations)
    kept.exchange(nil)
    subscription.cancel()
    return reports.values
  }

  @Test(arguments: isThreadSanitized ? [.observer] : Sender.allCases)
  func `S17: a chain past 100,000 generations is reported once, whoever sends it`(
    sender: Sender
  ) async {
    let reports = await run(100_050, sentBy: sender)
    #expect(reports.count == 1)
    guard case .probableLoop(generations: 100_000, let actions) = reports.first else {
      Issue.record("reported: \(reports)")
      return
    }
    // The first dispatch has the number 1, and no generation before it.
    #expect(actions.count == 8)
    for (action, number) in zip(actions, 99_995...100_002) {
      let beginning = "Hop (dispatch #\(number) at SideEffectsTests/LoopWatchTests.swift:"
      #expect(action.hasPrefix(beginning))
    }
  }

  @Test(arguments: isThreadSanitized ? [.observer] : Sender.allCases)
  func `S17: a chain of exactly 100,000 generations is not reported`(sender: Sender) async {
    #expect(await run(100_000, sentBy: sender).isEmpty)
  }

  @Test func `S17: the report names the last actions and says what to do`() {
    let report = Diagnostic.probableLoop(
      generations: 100_000,
      lastActions: ["Ping (dispatch #1 at A.swift:1)", "Pong (dispatch #2 at A.swift:2)"])
    #expect(
      report.description == """
        More than 100000 dispatches were made one because of the other, which looks like a loop: an \
        observer, an item or an effect answers an action with one that leads to the same again. The \
        last were, oldest first: Ping (dispatch #1 at A.swift:1); Pong (dispatch #2 at A.swift:2). \
        Let one of them dispatch only if something has changed. The store goes on.
        """)
    #expect(report.severity == .warning)
  }

  @Test(.disabled(if: isThreadSanitized, "it takes minutes there, and shows no more than others"))
  func `S17: a million independent dispatches report nothing`() async {
    // A diagnostic would fail the test. Each has an observer, an item and an effect that do nothing.
    let store = makeStore(
      .on(Begin.self) { _, _ in }, .effect(on: Begin.self, .latest) { _, _ in },
      reducer: .on(Begin.self) { $0.begun = [$1.id] })
    let subscription = store.subscribe(\.begun, initial: false) { _ in }
    let count = max(scaled(1_000_000), 100_100)
    for id in 1...count { store.dispatch(Begin(id: id)) }
    await store.idle()
    #expect(store.state.begun == [count])
    subscription.cancel()
  }

  @Test(.disabled(if: isThreadSanitized, "it takes minutes there, and shows no more than others"))
  func `S17: two stores do not share a chain, nor the report of one`() async {
    // Given two chains of which each is short enough
    #expect(await run(60_000, sentBy: .observer).isEmpty)
    #expect(await run(60_000, sentBy: .observer).isEmpty)
    // And two that are not
    #expect(await run(100_001, sentBy: .observer).count == 1)
    #expect(await run(100_001, sentBy: .observer).count == 1)
  }

  @Test func `S17: many chains of one store, each short, report nothing`() async {
    let store = makeStore(
      .on(Begin.self) { action, dispatch in
        if action.id < 100 { dispatch(Begin(id: action.id + 1)) }
      }, reducer: .on(Begin.self) { $0.begun = [$1.id] })
    for _ in 0..<1_500 { store.dispatch(Begin(id: 1)) }
    #expect(store.state.begun == [100])
  }
}
