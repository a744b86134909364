import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// Many effects at once and one after the other: what must stay flat is counted, not measured.
@Suite(.timeLimit(.minutes(5)))
struct EffectLoadTests {
  private static let many = scaled(100_000)

  @Test(arguments: [EffectPolicy.every, .latest])
  func `E4: 100,000 actions of one long effect, each starting a short one, leave nothing`(
    policy: EffectPolicy
  ) async {
    let census = Census()
    let store = makeCountingStore(
      .effect(on: Begin.self) { _, effect in
        for number in 0..<Self.many {
          await effect.dispatch(Work(key: CountedKey(number, in: census))).finish()
        }
      },
      .effect(on: Work.self, key: \.key, policy) { work, effect in
        if work.key.number.isMultiple(of: 100) { await Task.yield() }
        effect.dispatch(Answer())
      })
    await store.dispatch(Begin()).finish()
    await store.idle()
    #expect(store.state.works == Self.many)
    #expect(store.state.answers == Self.many)
    await census.waitUntilEmpty()
    #expect(census.most < 10)
  }

  @Test func `E8: 100,000 keys, each used once and cancelled, leave nothing`() async {
    let census = Census()
    let store = makeCountingStore(
      .effect(on: Work.self, key: \.key, .latest) { _, _ in await Gate().wait() })
    for batch in 0..<Self.many / 1_000 {
      for number in 0..<1_000 {
        store.dispatch(Work(key: CountedKey(batch * 1_000 + number, in: census)))
      }
      if batch.isMultiple(of: 2) {
        for number in 0..<1_000 {
          store.cancelEffects(.key(CountedKey(batch * 1_000 + number, in: census)))
        }
      } else {
        store.cancelEffects(.all)
      }
      await store.idle()
    }
    await census.waitUntilEmpty()
  }

  @Test func `E32: 100,000 restarts under latest leave nothing, and the last one delivers`() async {
    struct Interrupted: Error {}
    let census = Census()
    let gate = Gate()
    let store = makeCountingStore(
      .effect(on: Work.self, .latest) { work, effect in
        guard await gate.wait() else { throw Interrupted() }
        effect.dispatch(Answer())
      })
    for number in 0..<Self.many {
      store.dispatch(Work(key: CountedKey(number, in: census)))
      // Lets the cancelled ones go, a few at a time.
      if number.isMultiple(of: 1_000) { await Task.yield() }
    }
    gate.open()
    await store.idle()
    #expect(store.state.answers == 1)
    await census.waitUntilEmpty()
  }
}
