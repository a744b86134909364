import Testing

@testable import Services

@Suite(.timeLimit(.minutes(5)))
struct BusyWaitTests {
  @Test(arguments: [0, 1, 3, 100, 128, 129, 5000])
  func `D4: the waits for a lock add up to the limit`(limit: Int) {
    var waits: [Int] = []
    while let wait = BusyWait.delay(beforeRetry: waits.count, limit: limit) { waits.append(wait) }
    #expect(waits.reduce(0, +) == limit)
    #expect(waits.allSatisfy { (1...50).contains($0) })
    #expect(waits.dropLast() == waits.dropLast().sorted()[...])
  }

  @Test func `D4: a cancelled wait does not wait`() {
    // Given a wait that would be long, and was cancelled twice
    let wait = BusyWait()
    wait.cancel()
    wait.cancel()
    // Then it says at once, and every time, that there is no use in looking again
    for retry in 0...3 { #expect(!wait.wait(beforeRetry: retry, limit: .max)) }
  }
}
