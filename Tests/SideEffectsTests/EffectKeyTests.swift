import Store
import StoreTesting
import TestSupport
import Testing

@testable import SideEffects

struct EffectKeyTests {
  private struct PostID: Hashable { var number: Int }

  @Test func `E8: keys are equal when their types and values are`() {
    #expect(EffectKey(1) == EffectKey(1))
    #expect(EffectKey(PostID(number: 1)) == EffectKey(PostID(number: 1)))
    #expect(EffectKey(1) != EffectKey(2))
    #expect(EffectKey(1).hashValue == EffectKey(1).hashValue)
  }

  @Test func `E8: keys of different types are never equal, in either order`() {
    let keys: [EffectKey] = [
      EffectKey(1), EffectKey(Int64(1)), EffectKey("1"), EffectKey(1.0),
      EffectKey(PostID(number: 1)), EffectKey([1]),
    ]
    for (index, first) in keys.enumerated() {
      for (otherIndex, second) in keys.enumerated() {
        #expect((first == second) == (index == otherIndex), "\(first) and \(second)")
      }
    }
    #expect(Set(keys).count == keys.count)
  }

  @Test func `E30: a key reads as what it is made of`() {
    #expect(EffectKey("draft").description == "draft")
  }

  @Test func `E23: a key that does not equal itself is told as it is`() {
    #expect((EffectKey(Double.nan).value as? Double)?.isNaN == true)
  }

  @Test(arguments: [
    EffectPolicy.every, .latest, .leading, .queue, .keepLatest, .debounce(for: .milliseconds(1)),
    .throttle(for: .milliseconds(1)),
  ])
  func `E30: a key is released where it may call the store`(policy: EffectPolicy) async {
    final class Key: Hashable, Sendable {
      let number: Int
      let onEnd: @Sendable () -> Void
      init(_ number: Int, onEnd: @escaping @Sendable () -> Void) {
        (self.number, self.onEnd) = (number, onEnd)
      }
      deinit { onEnd() }
      static func == (first: Key, second: Key) -> Bool { first.number == second.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    let (box, made) = (StoreBox(), Recorder<Int>())
    let bench = TimedStore(
      .effect(
        on: Begin.self,
        key: { begin in
          made.record(begin.id)
          return Key(begin.id % 2) { box.store?.dispatch(Answer(id: begin.id)) }
        }, policy
      ) { begin, effect in try await effect.sleep(for: .milliseconds(begin.id % 3)) })
    box.set(bench.store)
    for id in 0..<8 { bench.store.dispatch(Begin(id: id)) }
    bench.store.cancelEffects(.key(1))
    await bench.clock.run()
    for id in 8..<12 { bench.store.dispatch(Begin(id: id)) }
    bench.store.cancelEffects(.all)
    await bench.clock.run()
    await bench.expectRest()
    #expect(bench.answers.sorted() == made.values.sorted())
  }

  @Test func `E8: a key that does not equal itself is forgotten all the same`() {
    let key = EffectKey(Double.nan)
    #expect(key == key)
    #expect(key != EffectKey(Double.nan))

    var machine = EffectRunnerStateMachine<Int>(policy: .every)
    let arrival = machine.arrive(1, number: 1, key: key, now: { .zero })
    guard case .start(let place, _) = arrival else { return }
    _ = machine.end(number: 1, key: key, at: place)
    #expect(machine.isEmpty)
  }
}
