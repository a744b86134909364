import Testing

@testable import CurlHTTP

@Suite
struct RequestBodyStateMachineTests {
  @Test func `H1: pieces are joined, and given out as libcurl has room`() {
    var machine = RequestBodyStateMachine(length: nil)
    #expect(machine.take(limit: 4) == (.pause, false))
    #expect(machine.isPaused)
    #expect(machine.give([1, 2, 3]).summary == "go on, resume")
    #expect(!machine.isPaused)
    #expect(machine.give([4, 5]).summary == "go on")
    #expect(machine.take(limit: 4) == (.bytes([1, 2, 3, 4]), false))
    #expect(machine.give([6]).summary == "go on")
    #expect(machine.take(limit: 9) == (.bytes([5, 6]), false))
    #expect(machine.take(limit: 9) == (.pause, false))
    #expect(machine.finish().summary == "go on, resume")
    #expect(machine.take(limit: 9) == (.end, false))
  }

  @Test func `H1: a source that is faster than the network does not fill the memory`() {
    var machine = RequestBodyStateMachine(length: nil)
    let piece = [UInt8](repeating: 7, count: 65_536)
    var most = 0
    for _ in 0..<1_000 {
      // It asks for more as soon as there is room, which is long before all of it was taken.
      if case .waitForRoom = machine.give(piece) {
        while machine.waitForRoom() { _ = machine.take(limit: 16_384) }
      }
      most = max(most, machine.bytes.count)
    }
    #expect(most < 2 * RequestBodyStateMachine.capacity)
  }

  @Test func `H1: the last announced byte waits for the end of the source`() {
    var machine = RequestBodyStateMachine(length: 3)
    #expect(machine.give([1, 2]).summary == "go on")
    #expect(machine.take(limit: 9) == (.bytes([1, 2]), false))
    #expect(machine.give([3]).summary == "go on")
    #expect(machine.take(limit: 9) == (.pause, false))
    #expect(machine.finish().summary == "go on, resume")
    #expect(machine.take(limit: 9) == (.bytes([3]), false))
    #expect(machine.take(limit: 9) == (.end, false))
  }

  @Test func `H1: too few and too many bytes are failures, known as early as can be`() {
    var short = RequestBodyStateMachine(length: 3)
    #expect(short.give([1, 2]).summary == "go on")
    #expect(short.finish().summary == "fail: 2 of 3")
    #expect(short.take(limit: 9) == (.pause, false))
    #expect(short.finish().summary == "stop")
    var long = RequestBodyStateMachine(length: 3)
    #expect(long.give([1, 2, 3]).summary == "go on")
    #expect(long.give([]).summary == "go on")
    #expect(long.give([4]).summary == "fail: 4 of 3")
    #expect(long.give([5]).summary == "stop")
  }

  @Test func `H1: a source waits while there is no room, and is told once when there is`() {
    let size = RequestBodyStateMachine.capacity
    var machine = RequestBodyStateMachine(length: nil)
    #expect(machine.give([UInt8](repeating: 0, count: size - 1)).summary == "go on")
    #expect(machine.give([0]).summary == "wait")
    #expect(machine.waitForRoom() == true)
    let first = machine.take(limit: 1)
    #expect(first.resumesSource)
    let second = machine.take(limit: 1)
    #expect(!second.resumesSource)
    // Room that came before the source could wait for it.
    #expect(machine.waitForRoom() == false)
  }

  @Test func `H10: after the end of the transfer a source is told to stop, also one that waits`() {
    let size = RequestBodyStateMachine.capacity
    var machine = RequestBodyStateMachine(length: nil)
    #expect(machine.give([UInt8](repeating: 0, count: size)).summary == "wait")
    #expect(machine.waitForRoom() == true)
    machine.close()
    #expect(machine.waitForRoom() == false)
    #expect(machine.give([1]).summary == "stop")
    #expect(machine.finish().summary == "stop")
    #expect(machine.take(limit: 1) == (.pause, false))
  }
}

extension RequestBodyStateMachine.SourceAction {
  fileprivate var summary: String {
    switch self {
    case .goOn(let resumes): resumes ? "go on, resume" : "go on"
    case .waitForRoom(let resumes): resumes ? "wait, resume" : "wait"
    case .fail(.wrongLength(let announced, let given)): "fail: \(given) of \(announced)"
    case .fail(.thrown(let error)): "fail: \(error)"
    case .stop: "stop"
    }
  }
}
