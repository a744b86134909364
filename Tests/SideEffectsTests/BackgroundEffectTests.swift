import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// Effects that nobody waits for.
@Suite(.timeLimit(.minutes(5)))
struct BackgroundEffectTests {
  private struct Listen: Action {}
  private struct Heard: Action {}
  private struct Answer: Action {}

  /// A store that counts what it hears; `gate` lets the listening effect go on.
  private static func makeStore(
    gate: Gate, ended: Recorder<Bool>, diagnostics: Recorder<String> = Recorder()
  ) -> Store<Int> {
    Store(
      initialState: 0,
      reducer: .combine(
        .on(Heard.self) { heard, _ in heard += 1 }, .on(Answer.self) { heard, _ in heard += 10 }),
      middleware: [
        createMiddleware(items: [
          .effect(on: Listen.self, name: "listen") { _, effect in
            let heard = await gate.wait()
            if heard { await effect.dispatch(Heard()).finish() }
            ended.record(effect.isCancelled)
          }.background(),
          .effect(on: Heard.self) { _, effect in
            await Task.yield()
            effect.dispatch(Answer())
          },
        ])
      ], diagnostics: { diagnostics.record("\($0)") })
  }

  @Test func `S16: neither finish nor idle waits for an effect in the background`() async {
    let gate = Gate()
    let store = Self.makeStore(gate: gate, ended: Recorder())
    await store.dispatch(Listen()).finish()
    await store.idle()
    #expect(store.state == 0)
    gate.open()
  }

  @Test func `S16: what an effect in the background sends is waited for like anything else`() async
  {
    // Given
    let gate = Gate()
    let (ended, diagnostics) = (Recorder<Bool>(), Recorder<String>())
    let store = Self.makeStore(gate: gate, ended: ended, diagnostics: diagnostics)
    store.dispatch(Listen())

    // When the effect goes on, which waits for what it sent
    gate.open()
    _ = await ended.waitForCount(1)

    // Then that is done, its own effect as well
    #expect(store.state == 11)
    #expect(ended.values == [false])
    #expect(diagnostics.values == [])
  }

  @Test func `S16: shutdown does not wait for the background, and cancels it`() async {
    let gate = Gate()
    let ended = Recorder<Bool>()
    let store = Self.makeStore(gate: gate, ended: ended)
    store.dispatch(Listen())
    await store.shutdown(grace: .seconds(3600))
    _ = await ended.waitForCount(1)
    #expect(ended.values == [true])
    #expect(store.state == 0)
  }

  @Test func `S16: an effect in the background is cancelled by name, and with its store`() async {
    for drops in [false, true] {
      let ended = Recorder<Bool>()
      var store: Store<Int>? = Self.makeStore(gate: Gate(), ended: ended)
      store?.dispatch(Listen())
      if drops { store = nil } else { store?.cancelEffects(.named("listen")) }
      _ = await ended.waitForCount(1)
      #expect(ended.values == [true])
    }
  }
}
