import Foundation
import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// How often to run what must hold in every run: `MILLRACE_REPEATS`, or 20 times.
private let repeats =
  ProcessInfo.processInfo.environment["MILLRACE_REPEATS"].flatMap { Int($0) } ?? 20

/// Crowds of effects that come and are cancelled at once, again and again: one run may be lucky.
@Suite(.timeLimit(.minutes(repeats > 20 ? 600 : 15)))
struct EffectCrowdTests {
  @Test(arguments: [EffectPolicy.every, .latest])
  func `E11: of 10,000 effects on 100 keys with racing cancels, all end and nothing is left`(
    policy: EffectPolicy
  ) async {
    for _ in 0..<max(1, repeats) { await Self.runCrowd(policy) }
  }

  private static func runCrowd(_ policy: EffectPolicy) async {
    let census = Census()
    let endings = Recorder<Bool>()
    let store = makeCountingStore(
      .effect(on: Work.self, key: \.key, policy) { work, effect in
        if work.key.number.isMultiple(of: 3) { await Task.yield() }
        effect.dispatch(Answer())
        endings.record(effect.isCancelled)
      })
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for number in 0..<2_500 {
            store.dispatch(Work(key: CountedKey((number + worker) % 100, in: census)))
          }
        }
        group.addTask {
          for number in 0..<2_500 {
            let key = CountedKey((number * 7 + worker) % 100, in: census)
            store.cancelEffects(.key(key))
            if number.isMultiple(of: 500) { store.cancelEffects(.all) }
          }
        }
      }
    }
    await store.idle()
    #expect(store.liveEffects().isEmpty)
    #expect(store.effects.current == 0)
    #expect(store.state.works == 10_000)
    #expect(store.state.answers <= endings.count)
    #expect(store.state.answers >= endings.values.count { !$0 })
    await census.waitUntilEmpty()
    // It works on as if nothing had been.
    let before = store.state.answers
    await store.dispatch(Work(key: CountedKey(1, in: census))).finish()
    #expect(store.state.answers == before + 1)
  }
}
