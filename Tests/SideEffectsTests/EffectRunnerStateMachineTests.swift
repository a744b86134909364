import Testing

@testable import SideEffects

struct EffectRunnerStateMachineTests {
  /// Drives the machine as the runner does, and tells in words what it answered.
  private struct Runs {
    var machine: EffectRunnerStateMachine<Int>
    var places: [Int: Int] = [:]
    var keys: [Int: EffectKey?] = [:]

    init(_ policy: EffectPolicy) { machine = EffectRunnerStateMachine(policy: policy) }

    /// Lets a run arrive that is called by its number.
    mutating func arrive(_ number: Int, key: EffectKey? = nil) -> String {
      keys[number] = key
      switch machine.arrive(number, number: UInt64(number), key: key) {
      case .start(let start): return "start" + note(start)
      case .wait(let dropped):
        return (["wait"] + dropped.map { "drop \($0)" }).joined(separator: ", ")
      case .refuse(.unwanted): return "refuse"
      case .refuse(.queueIsFull): return "full"
      }
    }

    /// Lets a run end, and returns those that start then.
    mutating func end(_ number: Int) -> [Int] {
      let starts = machine.end(
        number: UInt64(number), key: keys[number] ?? nil, at: places[number] ?? 0)
      for start in starts { _ = note(start) }
      return starts.map(\.run)
    }

    mutating func remove(where predicate: (Int) -> Bool) -> (removed: [Int], starts: [Int]) {
      let (removed, starts) = machine.remove(where: predicate)
      for start in starts { _ = note(start) }
      return (removed, starts.map(\.run))
    }

    private mutating func note(_ start: EffectRunnerStateMachine<Int>.Start) -> String {
      places[start.run] = start.place
      return start.replaced.map { ", replace \($0)" }.joined()
    }
  }

  private let key = EffectKey(1)
  private let other = EffectKey(2)

  @Test(arguments: [nil, EffectKey(1)])
  func `E12: every starts a run and replaces none`(key: EffectKey?) {
    var runs = Runs(.every)
    #expect(runs.arrive(1, key: key) == "start")
    #expect(runs.arrive(2, key: key) == "start")
    #expect(runs.machine.alive.sorted() == [1, 2])
    #expect(runs.end(1) == [])
    #expect(runs.end(2) == [])
    #expect(runs.machine.isEmpty)
  }

  @Test func `E13: latest replaces the run of its key and no other`() {
    var runs = Runs(.latest)
    #expect(runs.arrive(1, key: key) == "start")
    #expect(runs.arrive(2, key: other) == "start")
    #expect(runs.arrive(3, key: key) == "start, replace 1")
    #expect(runs.arrive(4) == "start")
    #expect(runs.arrive(5) == "start, replace 4")
    #expect(runs.machine.remove(key: nil) == [2, 3, 5])
    #expect(runs.machine.isEmpty)
  }

  @Test func `E14: leading refuses while one runs, and takes the next one after its end`() {
    var runs = Runs(.leading)
    #expect(runs.arrive(1, key: key) == "start")
    #expect(runs.arrive(2, key: key) == "refuse")
    #expect(runs.arrive(3, key: other) == "start")
    #expect(runs.end(1) == [])
    #expect(runs.arrive(4, key: key) == "start")
    #expect(runs.arrive(5, key: key) == "refuse")
  }

  @Test func `E15: a queue starts one after the other, in the order of arrival`() {
    var runs = Runs(.queue)
    #expect(runs.arrive(1) == "start")
    #expect(runs.arrive(2) == "wait")
    #expect(runs.arrive(3) == "wait")
    #expect(runs.end(1) == [2])
    #expect(runs.arrive(4) == "wait")
    #expect(runs.end(2) == [3])
    #expect(runs.end(3) == [4])
    #expect(runs.end(4) == [])
    #expect(runs.machine.isEmpty)
  }

  @Test func `E15: a queue of two runs two, and no more`() {
    var runs = Runs(.queue(limit: 2))
    #expect(runs.arrive(1) == "start")
    #expect(runs.arrive(2) == "start")
    #expect(runs.arrive(3) == "wait")
    #expect(runs.arrive(4) == "wait")
    #expect(runs.end(2) == [3])
    #expect(runs.end(1) == [4])
  }

  @Test(arguments: [
    (EffectPolicy.Overflow.dropOldest, "wait, drop 2", [3, 4]),
    (.dropNewest, "refuse", [2, 3]),
    (.fail, "full", [2, 3]),
  ])
  func `E15: a queue without room does as it was told`(
    overflow: EffectPolicy.Overflow, answer: String, left: [Int]
  ) {
    var runs = Runs(.queue(limit: 1, capacity: 2, overflow: overflow))
    for number in 1...3 { _ = runs.arrive(number) }
    #expect(runs.arrive(4) == answer)
    #expect(runs.end(1) == [left[0]])
    #expect(runs.end(left[0]) == [left[1]])
    #expect(runs.end(left[1]) == [])
  }

  @Test func `E15: a queue that nobody may wait in`() {
    for overflow in [EffectPolicy.Overflow.dropOldest, .dropNewest] {
      var runs = Runs(.queue(limit: 1, capacity: 0, overflow: overflow))
      #expect(runs.arrive(1) == "start")
      #expect(runs.arrive(2) == "refuse")
    }
  }

  @Test func `E15: limits that make no sense are those nearest to them`() {
    #expect(EffectPolicy.queue(limit: 0, capacity: -1) == .queue(limit: 1, capacity: 0))
  }

  @Test func `E16: keepLatest lets the newest wait instead of the one before`() {
    var runs = Runs(.keepLatest)
    #expect(runs.arrive(1) == "start")
    #expect(runs.arrive(2) == "wait")
    #expect(runs.arrive(3) == "wait, drop 2")
    #expect(runs.end(2) == [])
    #expect(runs.end(1) == [3])
    #expect(runs.end(3) == [])
    #expect(runs.arrive(4) == "start")
  }

  @Test func `E9: the end of a replaced run leaves the run that replaced it`() {
    var runs = Runs(.latest)
    _ = runs.arrive(1, key: key)
    _ = runs.arrive(2, key: key)
    #expect(runs.end(1) == [])
    #expect(runs.machine.remove(key: key) == [2])
  }

  @Test func `E8: removing what is not there returns nothing and leaves nothing`() {
    var runs = Runs(.every)
    #expect(runs.machine.remove(key: key) == [])
    #expect(runs.machine.remove(key: nil) == [])
    #expect(runs.end(1) == [])
    _ = runs.arrive(1, key: key)
    #expect(runs.machine.remove(key: other) == [])
    #expect(!runs.machine.isEmpty)
    #expect(runs.end(1) == [])
    #expect(runs.machine.isEmpty)
    #expect(runs.machine.remove(key: key) == [])
  }

  @Test func `E5: runs are removed in the order they arrived, whatever their key`() {
    var runs = Runs(.queue(limit: 2))
    for number in 1...20 { _ = runs.arrive(number, key: EffectKey(number % 7)) }
    #expect(runs.machine.remove(key: EffectKey(3)) == [3, 10, 17])
    #expect(runs.machine.remove(key: nil) == (1...20).filter { $0 % 7 != 3 })
    #expect(runs.machine.isEmpty)
  }

  @Test func `E15: who waited for a run that is removed starts, unless it is removed as well`() {
    var runs = Runs(.queue)
    for number in 1...4 { _ = runs.arrive(number, key: key) }
    _ = runs.arrive(5)
    let (removed, starts) = runs.remove { [1, 2, 5].contains($0) }
    #expect(removed == [1, 2, 5])
    #expect(starts == [3])
    #expect(runs.end(1) == [])
    #expect(runs.end(3) == [4])
    #expect(runs.end(4) == [])
    #expect(runs.machine.isEmpty)
  }

  @Test func `E11: a key whose runs have ended is forgotten`() {
    for policy in [EffectPolicy.every, .latest, .leading, .queue, .keepLatest] {
      var runs = Runs(policy)
      for number in 0..<1_000 { _ = runs.arrive(number, key: EffectKey(number % 100)) }
      for number in 0..<1_000 { _ = runs.end(number) }
      #expect(runs.machine.isEmpty, "\(policy)")
    }
  }

  @Test func `E11: places are used again, and not mistaken`() {
    var slots = Slots<String>()
    #expect(slots.insert("a", number: 1) == 0)
    #expect(slots.insert("b", number: 2) == 1)
    #expect(slots.insert("c", number: 3) == 2)
    #expect(slots.remove(number: 2, at: 1) == "b")
    #expect(slots.remove(number: 2, at: 1) == nil)
    #expect(slots.insert("d", number: 4) == 1)
    #expect(slots.remove(number: 2, at: 1) == nil)
    #expect(slots.all.map(\.number) == [1, 4, 3])
    #expect(slots.count == 3)
    #expect(slots.removeAll().map(\.element) == ["a", "d", "c"])
    #expect(slots.remove(number: 1, at: 0) == nil)
    #expect(slots.isEmpty)
  }
}
