import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// Long chains of actions, each sent by an effect of the one before.
@Suite(.timeLimit(.minutes(5)))
struct EffectGenerationTests {
  private struct Generation: Action {
    var number: Int
  }

  private static let million = scaled(1_000_000)

  private static func makeStore(
    _ generations: Int, suspending: Bool,
    each: @escaping @Sendable (DispatchHandle) -> Void = { _ in }
  ) -> Store<Int> {
    Store(
      initialState: 0, reducer: .on(Generation.self) { last, action in last = action.number },
      middleware: [
        createMiddleware(items: [
          .effect(on: Generation.self) { generation, effect in
            if suspending { await Task.yield() }
            guard generation.number < generations else { return }
            each(effect.dispatch(Generation(number: generation.number + 1)))
          }
        ])
      ])
  }

  #if os(Linux)
    @Test(.disabled(if: isThreadSanitized, "the sanitizer's own memory is not flat"))
    func `S16: a million generations of effects keep memory flat`() async {
      // In a process of its own, whose memory no other test uses.
      await #expect(processExitsWith: .success) {
        try await Self.expectFlatMemory(Self.million, suspending: false)
      }
    }

    @Test(.disabled(if: isThreadSanitized, "the sanitizer's own memory is not flat"))
    func `S16: a million generations of effects that suspend keep memory flat`() async {
      await #expect(processExitsWith: .success) {
        try await Self.expectFlatMemory(Self.million / 2, suspending: true)
      }
    }

    private static func expectFlatMemory(_ generations: Int, suspending: Bool) async throws {
      let store = makeStore(generations, suspending: suspending)
      await makeStore(1_000, suspending: suspending).dispatch(Generation(number: 1)).finish()
      let before = try residentBytes()
      await store.dispatch(Generation(number: 1)).finish()
      #expect(store.state == generations)
      // A generation that is remembered takes more than a hundred bytes.
      #expect(try residentBytes() - before < generations * 40)
    }
  #endif

  @Test func `S16: dropping a million held handles does not overflow the stack`() async {
    let held = Recorder<DispatchHandle>()
    let store = Self.makeStore(Self.million, suspending: false) { held.record($0) }
    let first = store.dispatch(Generation(number: 1))
    await store.idle()
    #expect(held.count == Self.million - 1)
    #expect(Begun { await first.finish() }.isOver)
    #expect(Begun { await held.values[Self.million - 2].finish() }.isOver)
  }

  @Test func `S16: a long line of waiting ancestors ends from the last to the first`() async {
    // Given generations of which each waits for the next, and is waited for by the one before
    let ended = Recorder<Int>()
    let depth = 1_000
    let store = Store(
      initialState: 0, reducer: .on(Generation.self) { last, action in last = action.number },
      middleware: [
        createMiddleware(items: [
          .effect(on: Generation.self) { generation, effect in
            if generation.number < depth {
              await effect.dispatch(Generation(number: generation.number + 1)).finish()
            }
            ended.record(generation.number)
          }
        ])
      ])
    await store.dispatch(Generation(number: 1)).finish()
    #expect(ended.values == Array((1...depth).reversed()))
  }
}
