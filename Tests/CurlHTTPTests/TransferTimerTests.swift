import Testing

@testable import CurlHTTP

@Suite
struct TransferTimerTests {
  private let start = ContinuousClock.now
  private let limits = HTTPLimits(
    connect: .seconds(10), idle: .seconds(8), total: .seconds(30), streamedTotal: .seconds(100))

  @Test func `H3: without a connection the connect limit is reached, and not the idle one`() {
    var timer = TransferTimer(limits: limits, now: start)
    #expect(timer.check(after: 9) == nil)
    #expect(timer.check(after: 10) == .connect)
    var shorter = TransferTimer(limits: HTTPLimits(connect: .seconds(60)), now: start)
    #expect(shorter.check(after: 29) == nil)
    #expect(shorter.check(after: 30) == .total)
  }

  @Test func `H3: a silent connection is idle from its beginning`() {
    var timer = TransferTimer(limits: limits, now: start)
    #expect(timer.check(after: 6, connectedAfter: 5) == nil)
    #expect(timer.check(after: 12, connectedAfter: 5) == nil)
    #expect(timer.check(after: 13, connectedAfter: 5) == .idle)
  }

  @Test func `H3: bytes begin the idle time anew, with a callback or without`() {
    var timer = TransferTimer(limits: limits, now: start)
    #expect(timer.check(after: 2, connectedAfter: 1, bytes: 10) == nil)
    timer.noteActivity(at: start + .seconds(9))
    #expect(timer.check(after: 16, connectedAfter: 1, bytes: 10) == nil)
    // The first look after bytes cannot know when they came, and takes the present.
    #expect(timer.check(after: 17, connectedAfter: 1, bytes: 11) == nil)
    #expect(timer.check(after: 24, connectedAfter: 1, bytes: 11) == nil)
    #expect(timer.check(after: 25, connectedAfter: 1, bytes: 11) == .idle)
  }

  @Test func `H3: a transfer that waits for us is not idle, but its whole time passes`() {
    var timer = TransferTimer(limits: limits, now: start)
    #expect(timer.check(after: 12, connectedAfter: 1, isPaused: true) == nil)
    #expect(timer.check(after: 19, connectedAfter: 1) == nil)
    #expect(timer.check(after: 20, connectedAfter: 1) == .idle)
    #expect(timer.check(after: 30, connectedAfter: 1, isPaused: true) == .total)
  }

  @Test func `H3: after the headers of a stream its own limit on the whole time counts`() {
    var timer = TransferTimer(limits: limits, isStreamed: true, now: start)
    #expect(timer.nextCheck <= start + .seconds(30))
    timer.noteHead()
    #expect(timer.check(after: 99, connectedAfter: 1, isPaused: true) == nil)
    #expect(timer.check(after: 100, connectedAfter: 1, isPaused: true) == .total)
    var endless = TransferTimer(limits: HTTPLimits(), now: start)
    endless.noteHead()
    #expect(endless.check(after: 1_000_000, connectedAfter: 1, isPaused: true) == nil)
  }

  @Test func `H3: the limit of a whole stream counts before its headers, too`() {
    let limits = HTTPLimits(total: .seconds(30), streamedTotal: .seconds(2))
    var timer = TransferTimer(limits: limits, isStreamed: true, now: start)
    #expect(timer.nextCheck == start + .seconds(2))
    #expect(timer.check(after: 2) == .total)
    var collected = TransferTimer(limits: limits, now: start)
    #expect(collected.check(after: 2) == nil)
  }

  @Test func `H3: the next check is never later than a limit`() {
    var timer = TransferTimer(limits: limits, now: start)
    // A quarter of the idle limit, then the rest of the connect limit, then of the total.
    #expect(timer.nextCheck == start + .seconds(2))
    _ = timer.check(after: 9)
    #expect(timer.nextCheck == start + .seconds(10))
    _ = timer.check(after: 10, connectedAfter: 10, bytes: 1)
    #expect(timer.nextCheck == start + .seconds(12))
    _ = timer.check(after: 29, connectedAfter: 10, bytes: 2)
    #expect(timer.nextCheck == start + .seconds(30))
  }

  @Test func `H3: no value of a limit means forever, and none overflows`() {
    for limit in [Duration.zero, .seconds(-5), .nanoseconds(1)] {
      var timer = TransferTimer(limits: HTTPLimits(total: limit), now: start)
      #expect(timer.nextCheck == start + .milliseconds(1))
      #expect(timer.check(after: 1) == .total)
    }
    let long = HTTPLimits(
      connect: .seconds(Int64.max), idle: .seconds(Int64.max), total: .seconds(Int64.max))
    var timer = TransferTimer(limits: long, now: start)
    #expect(timer.check(after: 100) == nil)
  }
}

extension TransferTimer {
  /// Looks so many seconds after the start.
  fileprivate mutating func check(
    after seconds: Int, connectedAfter connected: Int? = nil, bytes: Int = 0, isPaused: Bool = false
  ) -> HTTPClientError.TimeLimit? {
    check(
      at: start(plus: seconds),
      Progress(connected: connected.map { .seconds($0) }, bytes: bytes), isPaused: isPaused)?.limit
  }

  private func start(plus seconds: Int) -> ContinuousClock.Instant { started + .seconds(seconds) }
}
