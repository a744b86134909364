import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EffectFailureTests {
  private struct Broken: Error, Equatable, CustomStringConvertible {
    var part: String
    var description: String { "the \(part) broke" }
  }

  @Test func `E23: an error that leaves a body is sent once, with where it comes from`()
    async throws
  {
    let failures = Recorder<EffectFailed>()
    let store = makeStore(
      .effect(on: Begin.self, key: \.id, name: "work") { _, effect in
        effect.dispatch(Answer(id: 1))
        await Task.yield()
        throw Broken(part: "wheel")
      },
      .on(EffectFailed.self) { failed, _ in failures.record(failed) })
    await store.dispatch(Begin(id: 7), fileID: "App/View.swift", line: 12).finish()
    await store.idle()
    let failure = try #require(failures.values.first)
    #expect(failures.count == 1)
    #expect(failure.name == "work")
    #expect(failure.key as? Int == 7)
    #expect(failure.origin.number == 1)
    #expect(failure.origin.source.description == "App/View.swift:12")
    #expect(failure.attempt == 1)
    #expect(failure.error as? Broken == Broken(part: "wheel"))
    // What it had sent before stays.
    #expect(store.state.answers == [1])
  }

  @Test func `E23: an effect without a key fails without one`() async throws {
    let failures = Recorder<EffectFailed>()
    let store = makeStore(
      .effect(on: Begin.self) { _, _ in throw Broken(part: "wheel") },
      .on(EffectFailed.self) { failed, _ in failures.record(failed) })
    store.dispatch(Begin())
    let failure = try #require(failures.values.first)
    #expect(failure.key == nil)
    await store.idle()
  }

  @Test func `E23: a failure reaches the reducer`() async {
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, _ in throw Broken(part: "wheel") },
      reducer: .combine(
        journalReducer,
        .on(EffectFailed.self) { journal, failed in
          journal.failures.append("\(failed.name): \(failed.error)")
        }))
    await store.dispatch(Begin()).finish()
    #expect(store.state.failures == ["work: the wheel broke"])
  }

  @Test func `E23: a failure is a descendant of the dispatch whose effect failed`() async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { _, _ in throw Broken(part: "wheel") },
      .effect(on: EffectFailed.self) { _, effect in
        await gate.wait()
        effect.dispatch(Answer())
      })
    let handle = store.dispatch(Begin())
    let finishing = Begun { await handle.finish() }
    #expect(!finishing.isOver)
    gate.open()
    await finishing.wait()
    #expect(store.state.answers == [0])
  }

  @Test func `E23: a failure stops neither other effects nor later runs`() async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self, name: "breaks") { action, effect in
        guard action.id == 1 else { return _ = effect.dispatch(Answer(id: action.id)) }
        throw Broken(part: "wheel")
      },
      .effect(on: Begin.self, name: "holds") { action, effect in
        await gate.wait()
        effect.dispatch(Answer(id: action.id * 10))
      },
      .on(EffectFailed.self) { _, _ in })
    store.dispatch(Begin(id: 1))
    store.dispatch(Begin(id: 2))
    gate.open()
    await store.idle()
    #expect(store.state.answers.sorted() == [2, 10, 20])
  }

  @Test func `E23: a failure of an effect that handles failures is only reported`() async throws {
    let diagnostics = Recorder<Diagnostic>()
    let handled = Recorder<EffectName>()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, _ in throw Broken(part: "wheel") },
      .effect(on: EffectFailed.self, name: "reporter") { failed, _ in
        handled.record(failed.name)
        throw Broken(part: "reporter")
      },
      diagnostics: { diagnostics.record($0) })
    await store.dispatch(Begin()).finish()
    await store.idle()
    #expect(handled.values == ["work"])
    let diagnostic = try #require(diagnostics.values.first)
    #expect(diagnostics.count == 1)
    guard
      case .failureHandlerFailed(effect: "reporter", let origin, error: "the reporter broke") =
        diagnostic
    else {
      Issue.record("reported: \(diagnostic)")
      return
    }
    #expect(origin.cause == .effect("work", number: 1))
    #expect(diagnostic.severity == .warning)
    // And the handler goes on with the next one.
    await store.dispatch(Begin()).finish()
    #expect(handled.values == ["work", "work"])
  }

  @Test func `E23: a failure that nothing handles is reported`() async throws {
    let diagnostics = Recorder<Diagnostic>()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, _ in throw Broken(part: "wheel") },
      diagnostics: { diagnostics.record($0) })
    await store.dispatch(Begin(), fileID: "App/View.swift", line: 12).finish()
    let diagnostic = try #require(diagnostics.values.first)
    #expect(diagnostics.count == 1)
    #expect(diagnostic.severity == .warning)
    #expect(
      diagnostic.description == """
        The effect ‘work’ (from dispatch #1 at App/View.swift:12) failed, and nothing handles that: \
        the wheel broke. Turn the error into an action inside the effect, or handle `EffectFailed` \
        in a reducer or an effect.
        """)
  }

  @Test func `E23: the cancellation error of a cancelled effect is no failure`() async {
    let store = makeStore(
      .effect(on: Begin.self) { _, _ in
        _ = await Gate().wait()
        throw CancellationError()
      },
      .on(EffectFailed.self) { _, _ in Issue.record("reported a cancellation") })
    let handle = store.dispatch(Begin())
    store.cancelEffects(.all)
    await handle.finish()
    await store.idle()
  }
}
