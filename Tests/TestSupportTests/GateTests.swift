import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct GateTests {
  @Test func `an open gate lets a later wait through at once`() async {
    let gate = Gate()
    #expect(!gate.isOpen)
    gate.open()
    gate.open()
    #expect(await gate.wait())
    #expect(gate.isOpen)
  }

  @Test func `opening lets every waiter through, each exactly once`() async {
    let gate = Gate()
    let passed = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 { group.addTask { await gate.wait() } }
      group.addTask {
        gate.open()
        return true
      }
      return await group.reduce(into: 0) { count, opened in count += opened ? 1 : 0 }
    }
    #expect(passed == 101)
  }

  @Test func `cancelling ends the wait and says so`() async {
    let gate = Gate()
    let waiting = Task { await gate.wait() }
    waiting.cancel()
    #expect(await waiting.value == false)
    #expect(!gate.isOpen)
  }

  @Test func `a task that is cancelled already does not wait`() async {
    let gate = Gate()
    let start = Gate()
    let waiting = Task {
      await start.wait()
      return await gate.wait()
    }
    waiting.cancel()
    start.open()
    #expect(await waiting.value == false)
  }

  @Test func `cancel and open at the same time resume a waiter once`() async {
    // A second resume would trap, a missing one would run into the time limit.
    for _ in 0..<2_000 {
      let gate = Gate()
      let waiting = Task { await gate.wait() }
      async let opened: Void = gate.open()
      waiting.cancel()
      await opened
      _ = await waiting.value
    }
  }
}
