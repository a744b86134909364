import Middleware
import SideEffects
import Store
import StoreTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EffectRetryTests {
  private struct Broken: Error, Equatable, CustomStringConvertible {
    var call: Int
    var description: String { "call \(call) broke" }
  }

  /// A call that fails as often as it is told to, and notes when it was made.
  private final class Service: Sendable {
    let calls = Recorder<Int>()
    let clock = Box<TestClock?>(nil)
    let failures: Int

    init(failures: Int) { self.failures = failures }

    func call() async throws -> Int {
      calls.record(Int((clock.value?.now.offset ?? .zero) / .milliseconds(1)))
      if calls.count <= failures { throw Broken(call: calls.count) }
      return calls.count
    }
  }

  private func bench(
    _ service: Service, _ retry: EffectRetry,
    if isWorthwhile: @escaping @Sendable (any Error) -> Bool = { _ in true },
    failed: Recorder<EffectFailed> = Recorder()
  ) -> TimedStore {
    let bench = TimedStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        effect.dispatch(
          Answer(id: try await effect.retry(retry, if: isWorthwhile) { try await service.call() }))
      },
      .on(EffectFailed.self) { failure, _ in failed.record(failure) })
    service.clock.value = bench.clock
    return bench
  }

  @Test func `E21: a call is made again until it does not fail`() async {
    let service = Service(failures: 2)
    let bench = bench(service, .constant(.seconds(1), attempts: 5))
    bench.store.dispatch(Begin())
    await bench.clock.run()
    #expect(service.calls.values == [0, 1_000, 2_000])
    #expect(bench.answers == [3])
    await bench.expectRest()
  }

  @Test(arguments: [1, 2, 4])
  func `E21: n attempts are exactly n calls, and there is no delay after the last`(
    attempts: Int
  ) async {
    let (service, failed) = (Service(failures: .max), Recorder<EffectFailed>())
    let bench = bench(service, .constant(.seconds(1), attempts: attempts), failed: failed)
    bench.store.dispatch(Begin())
    await bench.clock.run()
    #expect(service.calls.values == (0..<attempts).map { 1_000 * $0 })
    #expect(bench.now == 1_000 * (attempts - 1))
    // The last error is the one that counts, and which attempt it was.
    #expect(failed.values.map(\.attempt) == [attempts])
    #expect(failed.values.map { "\($0.error)" } == ["call \(attempts) broke"])
    await bench.expectRest()
  }

  @Test(arguments: [1, 0, -3])
  func `E21: without a retry, or with fewer than none, there is one call`(attempts: Int) async {
    let (service, failed) = (Service(failures: .max), Recorder<EffectFailed>())
    let bench = bench(service, .exponential(attempts: attempts), failed: failed)
    bench.store.dispatch(Begin())
    await bench.clock.run()
    #expect(service.calls.count == 1)
    #expect(failed.count == 1)
    await bench.expectRest()
  }

  @Test func `E21: an error that will not go away ends it at once`() async {
    let (service, failed) = (Service(failures: .max), Recorder<EffectFailed>())
    let bench = bench(
      service, .constant(.seconds(1), attempts: 9), if: { $0 as? Broken != Broken(call: 2) },
      failed: failed)
    bench.store.dispatch(Begin())
    await bench.clock.run()
    #expect(service.calls.values == [0, 1_000])
    #expect(failed.values.map { "\($0.error)" } == ["call 2 broke"])
    await bench.expectRest()
  }

  @Test func `E21: the bound of the delay doubles up to its cap`() async {
    let service = Service(failures: 6)
    let bench = bench(
      service,
      .exponential(attempts: 7, from: .milliseconds(100), cap: .milliseconds(1_000), jitter: { $0 })
    )
    bench.store.dispatch(Begin())
    await bench.clock.run()
    #expect(service.calls.values == [0, 100, 300, 700, 1_500, 2_500, 3_500])
    await bench.expectRest()
  }

  @Test func `E21: with full jitter delays are between nothing and their bound`() {
    let retry = EffectRetry.exponential(attempts: 9, from: .milliseconds(100), cap: .seconds(1))
    for n in 1...8 {
      let bound = min(Duration.milliseconds(100 * (1 << (n - 1))), .seconds(1))
      let delays = (0..<200).map { _ in retry.delay(n) }
      #expect(delays.allSatisfy { $0 >= .zero && $0 <= bound })
      // All in one half of two hundred, one time in 10^60.
      #expect(delays.contains { $0 > bound / 2 })
      #expect(delays.contains { $0 < bound / 2 })
    }
  }

  @Test func `E21: no call begins after the deadline`() async {
    let (service, failed) = (Service(failures: .max), Recorder<EffectFailed>())
    var retry = EffectRetry.constant(.seconds(1), attempts: .max)
    retry.deadline = .milliseconds(3_500)
    let bench = bench(service, retry, failed: failed)
    bench.store.dispatch(Begin())
    await bench.clock.run()
    #expect(service.calls.values == [0, 1_000, 2_000, 3_000])
    // It does not sleep to find that out.
    #expect(bench.now == 3_000)
    #expect(failed.count == 1)
    await bench.expectRest()
  }

  @Test func `E21: cancelling while it sleeps ends it at once, and it is no failure`() async {
    let (service, failed) = (Service(failures: .max), Recorder<EffectFailed>())
    let bench = bench(service, .constant(.seconds(3_600), attempts: 9), failed: failed)
    let handle = bench.store.dispatch(Begin())
    await bench.settle()
    #expect(bench.store.liveEffects().map(\.waits) == [[.time(.seconds(3_600))]])
    bench.store.cancelEffects(.named("work"))
    await bench.expectRest()
    await handle.finish()
    #expect(service.calls.count == 1)
    #expect(failed.count == 0)
  }

  @Test func `E21: cancelling during a call that fails because of it makes no other`() async {
    let calls = Recorder<Int>()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        try await effect.retry(.constant(.zero, attempts: 9)) {
          calls.record(1)
          guard await Gate().wait() else { throw Broken(call: 1) }
        }
      })
    store.dispatch(Begin())
    store.cancelEffects(.named("work"))
    await store.idle()
    #expect(calls.count == 1)
  }

  @Test func `E19: delays of nothing, less, and for ever`() async {
    for delay in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
      let service = Service(failures: 3)
      let bench = bench(service, .constant(delay, attempts: 4))
      bench.store.dispatch(Begin())
      await bench.expectRest()
      #expect(bench.answers == [4])
    }
    for retry in [
      EffectRetry.constant(.seconds(Int64.max), attempts: 3),
      .exponential(
        attempts: 3, from: .seconds(Int64.max), cap: .seconds(Int64.max),
        deadline: .seconds(Int64.max)
      ),
    ] {
      let service = Service(failures: 3)
      let bench = bench(service, retry)
      bench.store.dispatch(Begin())
      await bench.advance(by: .seconds(1))
      #expect(bench.store.liveEffects().count == 1)
      bench.store.cancelEffects(.all)
      await bench.expectRest()
      #expect(service.calls.count == 1)
    }
  }

  @Test func `E23: a failure has the attempt of the outer retry, whatever went on within`() async {
    let failed = Recorder<EffectFailed>()
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        try await effect.retry(.constant(.seconds(1), attempts: 3)) {
          try await effect.retry(.constant(.seconds(1), attempts: 2)) {}
          throw Broken(call: 0)
        }
      },
      .on(EffectFailed.self) { failure, _ in failed.record(failure) })
    bench.store.dispatch(Begin())
    await bench.clock.run()
    #expect(failed.values.map(\.attempt) == [3])
    await bench.expectRest()
  }

  @Test func `E28: the attempt is that of the call that goes on`() async {
    let seen = Recorder<Int>()
    let store = Box<Store<Journal>?>(nil)
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        let look = { seen.record(store.value?.liveEffects().first?.attempt ?? 0) }
        _ = try await effect.retry(.constant(.seconds(1), attempts: 3)) {
          look()
          if seen.count < 3 { throw Broken(call: seen.count) }
        }
        look()
      })
    store.value = bench.store
    bench.store.dispatch(Begin())
    await bench.clock.run()
    #expect(seen.values == [1, 2, 3, 1])
    store.value = nil
    await bench.expectRest()
  }
}
