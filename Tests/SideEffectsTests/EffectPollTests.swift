import Middleware
import SideEffects
import Store
import StoreTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EffectPollTests {
  private struct Broken: Error {}

  @Test func `E27: the interval is counted from the end of one time, and the last is the last`()
    async
  {
    let times = Recorder<Int>()
    let clock = Box<TestClock?>(nil)
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        try await effect.poll(every: .seconds(10)) {
          times.record(Int((clock.value?.now.offset ?? .zero) / .seconds(1)))
          try await effect.sleep(for: .seconds(3))
          return times.count < 4 ? .again : .done
        }
        effect.dispatch(Answer(id: times.count))
      })
    clock.value = bench.clock
    bench.store.dispatch(Begin())
    await bench.clock.run()
    #expect(times.values == [0, 13, 26, 39])
    #expect(bench.answers == [4])
    // No interval after the last.
    #expect(bench.now == 42_000)
    await bench.expectRest()
  }

  @Test func `E27: cancelling while it waits makes no extra run`() async {
    let times = Recorder<Int>()
    let bench = TimedStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        try await effect.poll(every: .seconds(1)) {
          times.record(1)
          return .again
        }
      })
    bench.store.dispatch(Begin())
    await bench.advance(by: .milliseconds(2_500))
    #expect(times.count == 3)
    bench.store.cancelEffects(.named("work"))
    await bench.advance(by: .seconds(10))
    #expect(times.count == 3)
    await bench.expectRest()
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(1)])
  func `E27: a poll that cancels its own run makes no extra run`(interval: Duration) async {
    let times = Recorder<Int>()
    let bench = TimedStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        try await effect.poll(every: interval) {
          times.record(1)
          if times.count == 2 { effect.cancelEffects(.named("work")) }
          return .again
        }
      })
    bench.store.dispatch(Begin())
    await bench.advance(by: .seconds(10))
    #expect(times.count == 2)
    await bench.expectRest()
  }

  @Test func `E27: a poll without a pause lets others go first, and can be cancelled`() async {
    let times = Recorder<Int>()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        try await effect.poll(every: .zero) {
          times.record(1)
          return .again
        }
      })
    store.dispatch(Begin())
    await times.waitForCount(10)
    store.cancelEffects(.named("work"))
    await store.idle()
    #expect(store.liveEffects().isEmpty)
  }

  @Test func `E27: what a poll throws ends it`() async {
    let failures = Recorder<EffectFailed>()
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        try await effect.poll(every: .seconds(1)) { throw Broken() }
      },
      .on(EffectFailed.self) { failure, _ in failures.record(failure) })
    bench.store.dispatch(Begin())
    await bench.clock.run()
    #expect(failures.count == 1)
    #expect(bench.now == 0)
    await bench.expectRest()
  }
}
