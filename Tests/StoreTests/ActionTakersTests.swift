import TestSupport
import Testing

@testable import Store

/// Who is asked about an action and told of it, without any waiting.
@Suite struct ActionTakersTests {
  private struct One: Action {}
  private struct Two: Action {}

  private let asked = Recorder<Int>()
  private let told = Recorder<Int>()

  private func taker(
    _ id: Int, _ type: (any Action.Type)?, matches: Bool = true
  ) -> ActionTakers<Int>.Taker {
    ActionTakers.Taker(
      id: UInt64(id), type: type,
      matches: { [asked] _, _ in
        asked.record(id)
        return matches
      }, deliver: { [told] _ in told.record(id) })
  }

  private func commit(_ action: any Action, in takers: inout ActionTakers<Int>) {
    for tell in takers.take(action, 0) { tell() }
  }

  @Test func `E20: only those are asked who wait for the type of the action, or for any`() {
    var takers = ActionTakers<Int>()
    for id in 1...100 { takers.insert(taker(id, One.self)) }
    takers.insert(taker(101, nil, matches: false))
    commit(Two(), in: &takers)
    #expect(asked.values == [101])
    #expect(told.values == [])
    commit(One(), in: &takers)
    #expect(asked.values.sorted() == Array(1...101) + [101])
  }

  @Test func `E20: all whom an action concerns are told once, in the order of their numbers`() {
    var takers = ActionTakers<Int>()
    for id in [5, 3, 1] { takers.insert(taker(id, One.self)) }
    for id in [4, 2] { takers.insert(taker(id, nil)) }
    takers.insert(taker(6, Two.self))
    commit(One(), in: &takers)
    #expect(told.values == [1, 2, 3, 4, 5])
    commit(One(), in: &takers)
    #expect(told.values == [1, 2, 3, 4, 5])
    #expect(!takers.isEmpty)
    commit(Two(), in: &takers)
    #expect(told.values == [1, 2, 3, 4, 5, 6])
    #expect(takers.isEmpty)
  }

  @Test func `E20: one that waits no more is neither asked nor told, and can be taken out once`() {
    var takers = ActionTakers<Int>()
    for id in 1...3 { takers.insert(taker(id, id == 2 ? nil : One.self)) }
    #expect(takers.remove(id: 1)?.id == 1)
    #expect(takers.remove(id: 1) == nil)
    commit(One(), in: &takers)
    #expect(told.values == [2, 3])
    #expect(asked.values.sorted() == [2, 3])
    #expect(takers.remove(id: 3) == nil)
    #expect(takers.isEmpty)
  }
}
