import Testing

@testable import SideEffects

struct EffectRunnerStateMachineTests {
  private typealias Machine = EffectRunnerStateMachine<String>

  private let key = EffectKey(1)
  private let other = EffectKey(2)

  @Test func `E12: every starts a run and replaces none`() {
    var machine = Machine()
    #expect(machine.replacedBy("a", 1, key, .every) == [])
    #expect(machine.replacedBy("b", 2, key, .every) == [])
    #expect(machine.remove(key: key) == ["a", "b"])
    #expect(machine.isEmpty)
  }

  @Test func `E13: latest replaces the run of its key and no other`() {
    var machine = Machine()
    #expect(machine.replacedBy("a", 1, key, .latest) == [])
    #expect(machine.replacedBy("b", 2, other, .latest) == [])
    #expect(machine.replacedBy("c", 3, key, .latest) == ["a"])
    #expect(machine.remove(key: nil) == ["b", "c"])
  }

  @Test func `E9: the end of a replaced run leaves the run that replaced it`() {
    var machine = Machine()
    _ = machine.replacedBy("a", 1, key, .latest)
    _ = machine.replacedBy("b", 2, key, .latest)
    machine.end(number: 1, key: key)
    #expect(machine.remove(key: key) == ["b"])
  }

  @Test func `E8: removing what is not there returns nothing and leaves nothing`() {
    var machine = Machine()
    #expect(machine.remove(key: key) == [])
    #expect(machine.remove(key: nil) == [])
    machine.end(number: 1, key: key)
    #expect(machine.isEmpty)
    _ = machine.replacedBy("a", 1, key, .every)
    #expect(machine.remove(key: other) == [])
    #expect(!machine.isEmpty)
    machine.end(number: 1, key: key)
    #expect(machine.isEmpty)
    #expect(machine.remove(key: key) == [])
  }

  @Test func `E5: runs are removed in the order they arrived, whatever their key`() {
    var machine = Machine()
    for number in UInt64(1)...20 {
      _ = machine.replacedBy("\(number)", number, EffectKey(Int(number % 7)), .every)
    }
    #expect(machine.remove(key: EffectKey(3)) == ["3", "10", "17"])
    #expect(
      machine.remove(key: nil) == (1...20).filter { $0 % 7 != 3 }.map { "\($0)" })
    #expect(machine.isEmpty)
  }

  @Test func `E11: a key whose runs have ended is forgotten`() {
    var machine = Machine()
    for number in UInt64(0)..<1_000 {
      _ = machine.replacedBy(
        "", number, EffectKey(number % 100), number % 2 == 0 ? .every : .latest)
    }
    for number in (UInt64(0)..<1_000).reversed() {
      machine.end(number: number, key: EffectKey(number % 100))
    }
    #expect(machine.isEmpty)
  }
}

extension EffectRunnerStateMachine {
  fileprivate mutating func replacedBy(
    _ run: Run, _ number: UInt64, _ key: EffectKey, _ policy: EffectPolicy
  ) -> [Run] {
    switch arrive(run, number: number, key: key, policy: policy) {
    case .start(let replaced): replaced
    }
  }
}
