import Testing

@testable import Store

struct TimerQueueStateMachineTests {
  private typealias Machine = TimerQueueStateMachine<String>

  private let start = ContinuousClock.now
  private let linger = Duration.seconds(7)

  private func time(_ seconds: Int) -> ContinuousClock.Instant {
    start.advanced(by: .seconds(seconds))
  }

  /// What a turn says, as a text.
  private func turn(_ machine: inout Machine, at seconds: Int) -> String {
    switch machine.turn(at: time(seconds)) {
    case .fire(let values): "fire \(values.joined(separator: " "))"
    case .wait(let limit): "wait \(limit)"
    case .end: "end"
    }
  }

  @Test func `E31: the first timer starts the thread, and no other does`() {
    var machine = Machine(linger: linger)
    #expect(!machine.hasThread)
    #expect(machine.add("a", id: 1, deadline: time(3)) == .startThread)
    #expect(machine.hasThread)
    #expect(machine.add("b", id: 2, deadline: time(1)) == .nothing)
  }

  @Test func `E31: a waiting thread is woken for an earlier deadline, once until it has looked`() {
    var machine = Machine(linger: linger)
    _ = machine.add("a", id: 1, deadline: time(30))
    #expect(turn(&machine, at: 0) == "wait 30.0 seconds")
    #expect(machine.add("b", id: 2, deadline: time(40)) == .nothing)
    #expect(machine.add("c", id: 3, deadline: time(30)) == .nothing)
    #expect(machine.add("d", id: 4, deadline: time(20)) == .wakeThread)
    #expect(machine.add("e", id: 5, deadline: time(10)) == .nothing)
    #expect(turn(&machine, at: 1) == "wait 9.0 seconds")
    #expect(machine.add("f", id: 6, deadline: time(9)) == .wakeThread)
  }

  @Test func `E31: due timers fire in order of deadline, then in the order they were made`() {
    var machine = Machine(linger: linger)
    for (id, timer) in [("d", 4), ("a", 1), ("b", 2), ("c", 2), ("e", 6)].enumerated() {
      _ = machine.add(timer.0, id: UInt64(id), deadline: time(timer.1))
    }
    #expect(turn(&machine, at: 2) == "fire a b c")
    #expect(turn(&machine, at: 2) == "wait 2.0 seconds")
    #expect(turn(&machine, at: 6) == "fire d e")
    #expect(machine.count == 0)
  }

  @Test func `E31: a removed timer is forgotten, does not fire, and wakes nobody`() {
    var machine = Machine(linger: linger)
    _ = machine.add("a", id: 1, deadline: time(1))
    _ = machine.add("b", id: 2, deadline: time(1))
    #expect(machine.remove(id: 1) == "a")
    #expect(machine.remove(id: 1) == nil)
    #expect(machine.count == 1)
    #expect(turn(&machine, at: 1) == "fire b")
    #expect(machine.remove(id: 2) == nil)
  }

  @Test func `E31: a thread that finds no timer waits for one, then ends, and is started anew`() {
    var machine = Machine(linger: linger)
    _ = machine.add("a", id: 1, deadline: time(1))
    #expect(turn(&machine, at: 0) == "wait 1.0 seconds")
    _ = machine.remove(id: 1)
    #expect(turn(&machine, at: 1) == "wait 7.0 seconds")
    #expect(machine.add("b", id: 2, deadline: time(3)) == .wakeThread)
    #expect(turn(&machine, at: 3) == "fire b")
    #expect(turn(&machine, at: 3) == "wait 7.0 seconds")
    #expect(turn(&machine, at: 10) == "end")
    #expect(!machine.hasThread)
    #expect(machine.add("c", id: 3, deadline: time(11)) == .startThread)
  }

  @Test func `E31: a thread that has just fired does not end at once`() {
    var machine = Machine(linger: linger)
    _ = machine.add("a", id: 1, deadline: time(1))
    #expect(turn(&machine, at: 1) == "fire a")
    #expect(turn(&machine, at: 1) == "wait 7.0 seconds")
    _ = machine.add("b", id: 2, deadline: time(2))
    _ = machine.remove(id: 2)
    // It was woken for a timer that has gone.
    #expect(turn(&machine, at: 2) == "wait 7.0 seconds")
    #expect(turn(&machine, at: 9) == "end")
  }

  @Test func `E19: the thread looks at the clock every minute, however far the deadline is`() {
    var machine = Machine(linger: linger)
    let days = 100 * 86_400
    _ = machine.add("far", id: 1, deadline: time(days))
    _ = machine.add("never", id: 2, deadline: start.advanced(by: .seconds(Int64.max)))
    #expect(turn(&machine, at: 0) == "wait 60.0 seconds")
    #expect(machine.add("b", id: 3, deadline: time(61)) == .nothing)
    #expect(turn(&machine, at: 60) == "wait 1.0 seconds")
    #expect(turn(&machine, at: 61) == "fire b")
    #expect(turn(&machine, at: days - 5) == "wait 5.0 seconds")
    #expect(turn(&machine, at: days) == "fire far")
    #expect(turn(&machine, at: days) == "wait 60.0 seconds")
  }

  @Test func `E31: without a thread all timers are given back, and the next one tries again`() {
    var machine = Machine(linger: linger)
    #expect(machine.add("a", id: 1, deadline: time(2)) == .startThread)
    #expect(machine.add("b", id: 2, deadline: time(1)) == .nothing)
    #expect(machine.startFailed() == ["b", "a"])
    #expect(!machine.hasThread)
    #expect(machine.add("c", id: 3, deadline: time(1)) == .startThread)
    #expect(machine.count == 1)
  }
}
