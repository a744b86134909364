import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EffectEndTests {
  @Test func `E2: what an effect sends just before it returns is delivered`() async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { action, effect in
        effect.dispatch(Answer(id: action.id))
        await gate.wait()
        effect.dispatch(Answer(id: action.id + 1))
      })
    let handle = store.dispatch(Begin(id: 1))
    #expect(store.state.answers == [1])
    gate.open()
    await handle.finish()
    #expect(store.state.answers == [1, 2])
  }

  @Test func `E2: when an effect's dispatch returns, the state contains the action`() async {
    let seen = Recorder<[Int]?>()
    let effect = StateItem<Journal>.effect(on: Begin.self, reading: \.answers) {
      action, effect, answers in
      effect.dispatch(Answer(id: 1))
      seen.record(answers())
      await Task.yield()
      effect.dispatch(Answer(id: 2))
      seen.record(answers())
    }
    let store = Store(
      initialState: Journal(), reducer: journalReducer,
      middleware: [createMiddleware(items: [effect])])
    await store.dispatch(Begin()).finish()
    #expect(seen.values == [[1], [1, 2]])
  }

  @Test func `E2: what an effect sends after its end is dropped and reported`() async throws {
    // Given an effect that let its context escape, and has ended
    let diagnostics = Recorder<Diagnostic>()
    let escaped = Recorder<EffectContext>()
    let store = makeStore(
      .effect(on: Begin.self, name: "leaky") { _, effect in escaped.record(effect) },
      diagnostics: { diagnostics.record($0) })
    await store.dispatch(Begin(), fileID: "App/View.swift", line: 12).finish()
    let effect = try #require(escaped.values.first)
    // When something is sent through it
    let handle = effect.dispatch(Answer(), fileID: "App/Leak.swift", line: 34)
    // Then it is dropped, and the report says what, who, whence and where
    #expect(store.state.answers.isEmpty)
    #expect(Begun { await handle.finish() }.isOver)
    let diagnostic = try #require(diagnostics.values.first)
    #expect(diagnostics.count == 1)
    guard
      case .actionAfterEffectEnded("Answer", effect: "leaky", let origin, let source) = diagnostic
    else {
      Issue.record("reported: \(diagnostic)")
      return
    }
    #expect(origin.number == 1)
    #expect(origin.source.description == "App/View.swift:12")
    #expect(source.description == "App/Leak.swift:34")
    #expect(diagnostic.severity == .programmingError)
    #expect(
      diagnostic.description == """
        The effect ‘leaky’ (from dispatch #1 at App/View.swift:12) sent Answer at App/Leak.swift:34 \
        after its body had returned; the action was dropped. The likely cause is a `Task` or a \
        callback that outlives the body. Await that work in the body, so that cancelling the effect \
        ends it too.
        """)
  }

  @Test func `E2: what a cancelled effect sends is dropped and reported`() async throws {
    let diagnostics = Recorder<Diagnostic>()
    let contexts = Recorder<EffectContext>()
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self, name: "slow") { _, effect in
        contexts.record(effect)
        await gate.wait()
      },
      diagnostics: { diagnostics.record($0) })
    store.dispatch(Begin(), fileID: "App/View.swift", line: 12)
    let effect = try #require(contexts.values.first)
    #expect(!effect.isCancelled)
    store.cancelEffects(.named("slow"))
    #expect(effect.isCancelled)
    effect.dispatch(Answer(), fileID: "App/Slow.swift", line: 34)
    #expect(store.state.answers.isEmpty)
    let diagnostic = try #require(diagnostics.values.first)
    #expect(diagnostics.count == 1)
    guard
      case .actionAfterEffectCancelled(
        "Answer", effect: "slow", let origin, let source) = diagnostic
    else {
      Issue.record("reported: \(diagnostic)")
      return
    }
    #expect(origin.number == 1)
    #expect(source.description == "App/Slow.swift:34")
    #expect(diagnostic.severity == .notice)
    // It stays cancelled when its body has returned.
    await store.idle()
    effect.dispatch(Answer())
    #expect(store.state.answers.isEmpty)
    guard case .actionAfterEffectCancelled = diagnostics.values.last else {
      Issue.record("reported: \(diagnostics.values)")
      return
    }
  }

  @Test func `E2: what a link delays past the end of an effect is delivered`() async throws {
    let delayed = Recorder<@Sendable () -> DispatchResult>()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in effect.dispatch(Answer(id: 1)) },
      links: [delaying(Answer.self, into: delayed)])
    await store.dispatch(Begin()).finish()
    await store.idle()
    #expect(store.state.answers.isEmpty)
    let deliver = try #require(delayed.values.first)
    #expect(deliver() == .reduced(commit: 2))
    #expect(store.state.answers == [1])
  }

  @Test func `E2: what a link delays past the cancel of an effect is dropped and reported`()
    async throws
  {
    let diagnostics = Recorder<Diagnostic>()
    let delayed = Recorder<@Sendable () -> DispatchResult>()
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self, name: "slow") { _, effect in
        effect.dispatch(Answer(id: 1))
        await gate.wait()
      },
      links: [delaying(Answer.self, into: delayed)], diagnostics: { diagnostics.record($0) })
    store.dispatch(Begin())
    store.cancelEffects(.all)
    let deliver = try #require(delayed.values.first)
    #expect(deliver() == .swallowed)
    #expect(store.state.answers.isEmpty)
    #expect(diagnostics.count == 1)
    guard
      case .actionAfterEffectCancelled("Answer", effect: "slow", _, _) = diagnostics.values.first
    else {
      Issue.record("reported: \(diagnostics.values)")
      return
    }
    await store.idle()
  }

  /// A link that keeps the actions of one type until the test delivers them.
  private func delaying<A: Action>(
    _ type: A.Type, into delayed: Recorder<@Sendable () -> DispatchResult>
  ) -> Middleware<Journal> {
    Middleware { action, _, next in
      guard action is A else { return next(action) }
      delayed.record { next(action) }
      return .swallowed
    }
  }
}
