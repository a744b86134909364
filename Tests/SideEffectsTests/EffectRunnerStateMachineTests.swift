import Testing

@testable import SideEffects

struct EffectRunnerStateMachineTests {
  /// Drives the machine as the runner does, and tells in words what it answered.
  private struct Runs {
    var machine: EffectRunnerStateMachine<Int>
    var places: [Int: Int] = [:]
    var keys: [Int: EffectKey?] = [:]

    init(_ policy: EffectPolicy) { machine = EffectRunnerStateMachine(policy: policy) }

    /// Lets a run arrive that is called by its number, at a time in milliseconds.
    mutating func arrive(_ number: Int, key: EffectKey? = nil, at time: Int = 0) -> String {
      let now = Duration.milliseconds(time)
      keys[number] = key
      switch machine.arrive(number, number: UInt64(number), key: key, now: { now }) {
      case .start(let place, let ending):
        places[number] = place
        return "start" + end(ending)
      case .wait(_, let dropped):
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

    /// Lets happen what is due, and returns what starts, with what it replaces.
    mutating func fire(at time: Int) -> [String] {
      machine.fire(now: .milliseconds(time)).map { "\($0.run)" + note($0) }
    }

    mutating func remove(where predicate: (Int) -> Bool) -> (removed: [Int], starts: [Int]) {
      let (removed, starts) = machine.remove(where: predicate)
      for start in starts { _ = note(start) }
      return (removed, starts.map(\.run))
    }

    private mutating func note(_ start: EffectRunnerStateMachine<Int>.Start) -> String {
      places[start.run] = start.place
      return end(start.ending)
    }

    private func end(_ runs: [Int]) -> String { runs.map { ", end \($0)" }.joined() }
  }

  private let key = EffectKey(1)
  private let other = EffectKey(2)

  @Test(arguments: [nil, EffectKey(1)])
  func `E12: every starts a run and replaces none`(key: EffectKey?) {
    var runs = Runs(.every)
    #expect(runs.arrive(1, key: key) == "start")
    #expect(runs.arrive(2, key: key) == "start")
    #expect(runs.machine.alive.map(\.run).sorted() == [1, 2])
    #expect(runs.end(1) == [])
    #expect(runs.end(2) == [])
    #expect(runs.machine.isEmpty)
  }

  @Test func `E13: latest replaces the run of its key and no other`() {
    var runs = Runs(.latest)
    #expect(runs.arrive(1, key: key) == "start")
    #expect(runs.arrive(2, key: other) == "start")
    #expect(runs.arrive(3, key: key) == "start, end 1")
    #expect(runs.arrive(4) == "start")
    #expect(runs.arrive(5) == "start, end 4")
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

/// The policies that wait: time is told to the machine, nothing sleeps.
extension EffectRunnerStateMachineTests {
  @Test func `E17: a debounce starts the last run once nothing came for its window`() {
    var runs = Runs(.debounce(for: .milliseconds(100)))
    #expect(runs.arrive(1, at: 0) == "wait")
    #expect(runs.arrive(2, at: 50) == "wait, drop 1")
    #expect(runs.arrive(3, at: 149) == "wait, drop 2")
    // The timer of the first run rings too early, and is set for the last.
    #expect(runs.machine.nextDue == .milliseconds(100))
    #expect(runs.fire(at: 100) == [])
    #expect(runs.machine.nextDue == .milliseconds(249))
    #expect(runs.fire(at: 248) == [])
    #expect(runs.fire(at: 249) == ["3"])
    #expect(runs.machine.nextDue == nil)
    #expect(runs.end(3) == [])
    #expect(runs.machine.isEmpty)
  }

  @Test func `E17: a debounce starts in the end though actions keep coming`() {
    var runs = Runs(.debounce(for: .milliseconds(100), maxWait: .milliseconds(250)))
    for number in 1...10 { _ = runs.arrive(number, at: 50 * (number - 1)) }
    // Meanwhile, at 250, the run of 200 started if it was asked in time; here it is late.
    #expect(runs.machine.nextDue == .milliseconds(100))
    #expect(runs.fire(at: 450) == ["10"])
    #expect(runs.arrive(11, at: 460) == "wait")
    #expect(runs.machine.nextDue == .milliseconds(560))
    #expect(runs.fire(at: 560) == ["11, end 10"])
  }

  @Test func `E17: each key waits by itself, and is forgotten`() {
    var runs = Runs(.debounce(for: .milliseconds(100)))
    for number in 0..<1_000 { _ = runs.arrive(number, key: EffectKey(number), at: number) }
    #expect(runs.machine.nextDue == .milliseconds(100))
    #expect(runs.fire(at: 100) == ["0"])
    #expect(runs.fire(at: 5_000).count == 999)
    for number in 0..<1_000 { _ = runs.end(number) }
    #expect(runs.machine.isEmpty)
  }

  @Test func `E17: what was put off starts in the order of the times it was put off to`() {
    var runs = Runs(.debounce(for: .milliseconds(100)))
    for (number, key) in zip(1..., ["a", "b", "c", "b", "a"]) {
      _ = runs.arrive(number, key: EffectKey(key), at: 10 * number)
    }
    #expect(runs.fire(at: 200) == ["3", "4", "5"])
    for number in 3...5 { _ = runs.end(number) }

    // At the same time, those first that were put off first.
    for (number, key, time) in [(6, "a", 300), (7, "b", 310), (8, "b", 350), (9, "a", 350)] {
      _ = runs.arrive(number, key: EffectKey(key), at: time)
    }
    #expect(runs.fire(at: 450) == ["8", "9"])
    #expect(runs.machine.nextDue == nil)
  }

  @Test func `E17: cancelling what was put off leaves nothing, and a late timer starts nothing`() {
    var runs = Runs(.debounce(for: .milliseconds(100)))
    _ = runs.arrive(1, key: EffectKey(1), at: 0)
    _ = runs.arrive(2, key: EffectKey(1), at: 50)
    #expect(runs.machine.remove(key: EffectKey(1)) == [2])
    #expect(runs.machine.isEmpty)
    _ = runs.arrive(3, key: EffectKey(1), at: 60)
    #expect(runs.fire(at: 159) == [])
    #expect(runs.fire(at: 160) == ["3"])
  }

  @Test func `E17: cancelling while it waits leaves nothing, not even its time`() {
    var runs = Runs(.debounce(for: .seconds(3_600), maxWait: .seconds(7_200)))
    _ = runs.arrive(1, key: EffectKey(1), at: 0)
    _ = runs.arrive(2, key: EffectKey(2), at: 0)
    _ = runs.arrive(3, at: 0)
    #expect(runs.machine.remove(key: EffectKey(1)) == [1])
    #expect(runs.remove { $0 == 2 }.removed == [2])
    #expect(!runs.machine.isEmpty)
    #expect(runs.machine.remove(key: nil) == [3])
    #expect(runs.machine.isEmpty)
    #expect(runs.machine.nextDue == nil)
  }

  @Test func `E18: at input every 10 ms and a window of 100 the runs are 0, 10, 20, 30, 34`() {
    var runs = Runs(.throttle(for: .milliseconds(100)))
    var started: [String] = []
    for number in 0...34 {
      // What is due now is so after what comes now.
      if runs.arrive(number, at: 10 * number).hasPrefix("start") { started.append("\(number)") }
      started += runs.fire(at: 10 * number)
    }
    #expect(started == ["0", "10", "20", "30"])
    // The last needs no further input.
    #expect(runs.machine.nextDue == .milliseconds(400))
    #expect(runs.fire(at: 400) == ["34"])
    #expect(runs.fire(at: 500) == [])
    #expect(runs.machine.nextDue == nil)
    #expect(runs.arrive(35, at: 501) == "start")
  }

  @Test func `E18: with the timer first, the run that waited starts, and opens a window`() {
    var runs = Runs(.throttle(for: .milliseconds(100)))
    #expect(runs.arrive(0, at: 0) == "start")
    #expect(runs.arrive(9, at: 90) == "wait")
    #expect(runs.fire(at: 100) == ["9"])
    #expect(runs.arrive(10, at: 100) == "wait")
    #expect(runs.fire(at: 200) == ["10"])
  }

  @Test func `E18: the edges of a throttle`() {
    var leading = Runs(.throttle(for: .milliseconds(100), edges: .leading))
    #expect(leading.arrive(0, at: 0) == "start")
    #expect(leading.arrive(1, at: 99) == "refuse")
    #expect(leading.arrive(2, at: 100) == "start")
    #expect(leading.fire(at: 200) == [])
    _ = (leading.end(0), leading.end(2))
    #expect(leading.machine.isEmpty)

    var trailing = Runs(.throttle(for: .milliseconds(100), edges: .trailing))
    #expect(trailing.arrive(0, at: 0) == "wait")
    #expect(trailing.arrive(1, at: 50) == "wait, drop 0")
    #expect(trailing.fire(at: 100) == ["1"])
  }

  @Test func `E19: windows of nothing and less, and of a hundred days and more`() {
    for window in [Duration.zero, .seconds(-1)] {
      var debounce = Runs(.debounce(for: window))
      #expect(debounce.arrive(1, at: 0) == "start")
      #expect(debounce.arrive(2, at: 0) == "start, end 1")
      var throttle = Runs(.throttle(for: window))
      #expect(throttle.arrive(1, at: 0) == "start")
      #expect(throttle.arrive(2, at: 0) == "start")
      #expect(throttle.machine.nextDue == nil)
    }
    for window in [Duration.seconds(100 * 86_400), .seconds(Int64.max)] {
      var debounce = Runs(.debounce(for: window, maxWait: window))
      #expect(debounce.arrive(1, at: 1) == "wait")
      #expect(debounce.fire(at: 99 * 86_400_000) == [])
      var throttle = Runs(.throttle(for: window))
      #expect(throttle.arrive(1, at: 1) == "start")
      #expect(throttle.arrive(2, at: 2) == "wait")
      #expect(throttle.fire(at: 99 * 86_400_000) == [])
    }
  }
}
