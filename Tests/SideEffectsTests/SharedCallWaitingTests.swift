import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// Shared calls that wait for what waits for them.
@Suite(.timeLimit(.minutes(5)))
struct SharedCallWaitingTests {
  private let diagnostics = Recorder<Diagnostic>()

  /// Dispatches one action for the effect, and returns the calls that were told to wait for
  /// themselves when all is at rest.
  private func circles(
    _ body: @escaping @Sendable (EffectContext, StoreBox) async throws -> Void
  ) async -> [String] {
    let box = StoreBox()
    let store = makeStore(
      .effect(on: Begin.self, name: "circular") { _, effect in try await body(effect, box) },
      .effect(on: EffectFailed.self, name: "handler") { _, _ in },
      diagnostics: { diagnostics.record($0) })
    box.set(store)
    await store.dispatch(Begin()).finish()
    await store.idle()
    return diagnostics.values.map { diagnostic in
      guard case .effectWaitsForItself(effect: "circular", let call) = diagnostic else {
        return "\(diagnostic)"
      }
      return call
    }
  }

  @Test func `E25: a shared call that waits for the store's rest is told so, or who shares it`()
    async
  {
    let calls = await circles { effect, box in
      try await effect.share { await box.store?.idle() }
    }
    #expect(calls == ["idle()"] || calls == ["share(as:forced:_:)"])
  }

  @Test func `E25: a call that joins itself is told so and does not hang`() async {
    let failures = Recorder<String>()
    let calls = await circles { effect, _ in
      try await effect.share(as: 1) {
        do {
          try await effect.share(as: 1) {}
        } catch {
          failures.record("\(error)")
          throw error
        }
      }
    }
    #expect(calls == ["share(as:forced:_:)"])
    #expect(failures.values == ["CancellationError()"])
  }

  @Test func `E25: two calls that join each other are told so and do not hang`() async {
    let (first, second) = (Gate(), Gate())
    let calls = await circles { effect, _ in
      effect.fork { effect in
        try await effect.share(as: 1) {
          first.open()
          await second.wait()
          try? await effect.share(as: 2) {}
        }
      }
      effect.fork { effect in
        try await effect.share(as: 2) {
          second.open()
          await first.wait()
          try? await effect.share(as: 1) {}
        }
      }
    }
    #expect(calls == ["share(as:forced:_:)"])
  }

  @Test func `E25: a call may share another, and wait for what the effect sent`() async {
    let answers = Recorder<Int>()
    let calls = await circles { effect, _ in
      let answer = try await effect.share(as: 1) {
        await effect.dispatch(Answer(id: 1)).finish()
        return try await effect.share(as: 2) { 7 }
      }
      answers.record(answer)
    }
    #expect(calls == [])
    #expect(answers.values == [7])
  }
}
