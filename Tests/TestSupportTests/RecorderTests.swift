import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RecorderTests {
  @Test func `values keep their order`() async {
    let recorder = Recorder<Int>()
    for value in 1...3 { recorder.record(value) }
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.count == 3)
    #expect(await recorder.waitForCount(2) == [1, 2, 3])
  }

  @Test func `a wait ends with the value that makes the count`() async {
    let recorder = Recorder<Int>()
    let waiting = Task { await recorder.waitForCount(100) }
    await withTaskGroup(of: Void.self) { group in
      for value in 0..<100 { group.addTask { recorder.record(value) } }
    }
    #expect(await waiting.value.sorted() == Array(0..<100))
  }

  @Test func `cancelling ends the wait with what is there`() async {
    let recorder = Recorder<Int>()
    recorder.record(7)
    let waiting = Task { await recorder.waitForCount(2) }
    waiting.cancel()
    #expect(await waiting.value == [7])
  }
}
