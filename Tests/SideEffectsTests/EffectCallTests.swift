import Middleware
import SideEffects
import Store
import StoreTesting
import TestSupport
import Testing

/// Calls inside of calls.
@Suite(.timeLimit(.minutes(10)))
struct EffectCallTests {
  @Test func `E20: a race that is won while others are to begin throws nothing`() async {
    let failures = Recorder<String>()
    let store = makeStore(
      .effect(on: Begin.self) { begin, effect in
        // The last is still to begin when the second comes back on another thread.
        try await effect.race(
          { _ = await Gate().wait() }, { await pause(begin.id) }, { await pause(3) })
      },
      .on(EffectFailed.self) { failure, _ in failures.record("\(failure.error)") })
    // Some at a time, so that the threads of the pool are awake.
    for _ in 0..<scaled(50_000) {
      for id in 0..<4 { store.dispatch(Begin(id: id)) }
      await store.idle()
    }
    #expect(failures.values == [])
  }

  @Test func `E26: a run that takes over a call with its retries gets the answer`() async {
    // Given a call that fails twice, shared by a run that is replaced in between
    let (calls, failures) = (Recorder<Int>(), Recorder<String>())
    let bench = TimedStore(
      .effect(on: Begin.self, .latest) { begin, effect in
        let answer = try await effect.share {
          try await effect.retry(.constant(.seconds(1), attempts: 4)) {
            calls.record(begin.id)
            if calls.count < 3 { throw Broken(id: calls.count) }
            return calls.count
          }
        }
        effect.dispatch(Answer(id: 10 * begin.id + answer))
      },
      .on(EffectFailed.self) { failure, _ in failures.record("\(failure.error)") })
    bench.store.dispatch(Begin(id: 1))
    await bench.settle()
    // When a newer run joins the call
    bench.store.dispatch(Begin(id: 2))
    await bench.clock.run()
    // Then the call goes on for it
    #expect(calls.values == [1, 1, 1])
    #expect(bench.answers == [23])
    #expect(failures.values == [])
    await bench.expectRest()
  }
}
