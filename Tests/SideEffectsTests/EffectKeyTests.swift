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
