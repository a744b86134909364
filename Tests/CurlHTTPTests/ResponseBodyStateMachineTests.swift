import Testing

@testable import CurlHTTP

@Suite
struct ResponseBodyStateMachineTests {
  private let failure = HTTPClientError(.connectionLost)

  @Test func `H1: what was delivered is taken all at once, then the end, again and again`() {
    var machine = ResponseBodyStateMachine()
    #expect(machine.take() == .wait)
    #expect(machine.deliver([1], isPaused: false) == nil)
    #expect(machine.deliver([2, 3], isPaused: false) == nil)
    #expect(machine.room == ResponseBodyStateMachine.capacity - 3)
    #expect(machine.take() == .give(.bytes([1, 2, 3])))
    #expect(machine.finish(nil) == nil)
    #expect(machine.take() == .give(.end(nil)))
    #expect(machine.take() == .give(.end(nil)))
  }

  @Test func `H1: a reader who waits gets what comes next, or the end`() {
    var machine = ResponseBodyStateMachine()
    #expect(machine.wait() == .wait)
    // Nothing to give keeps them waiting.
    #expect(machine.deliver([], isPaused: false) == nil)
    #expect(machine.deliver([1], isPaused: true) == .bytes([1]))
    // Nothing is left, so the driver resumes libcurl by itself.
    #expect(machine.room == ResponseBodyStateMachine.capacity)
    #expect(machine.wait() == .wait)
    #expect(machine.finish(failure) == .end(failure))
    #expect(machine.finish(nil) == nil)
    #expect(machine.wait() == .give(.end(failure)))
  }

  @Test func `H1: taking what libcurl waits for resumes it, once`() {
    var machine = ResponseBodyStateMachine()
    #expect(machine.deliver([1], isPaused: true) == nil)
    #expect(machine.take() == .give(.bytes([1]), resumesTransfer: true))
    #expect(machine.deliver([2], isPaused: false) == nil)
    #expect(machine.take() == .give(.bytes([2])))
    #expect(machine.deliver([3], isPaused: true) == nil)
    #expect(machine.finish(failure) == nil)
    // There is nothing to resume any more.
    #expect(machine.take() == .give(.bytes([3])))
    #expect(machine.take() == .give(.end(failure)))
  }

  @Test func `H10: a reader who gives up gets the reason and none of the bytes`() {
    var machine = ResponseBodyStateMachine()
    let cancelled = HTTPClientError(.cancelled)
    #expect(machine.deliver([1], isPaused: true) == nil)
    #expect(machine.abandon(cancelled) == nil)
    #expect(machine.deliver([2], isPaused: false) == nil)
    #expect(machine.take() == .give(.end(cancelled)))
    var waiting = ResponseBodyStateMachine()
    #expect(waiting.wait() == .wait)
    #expect(waiting.abandon(cancelled) == .end(cancelled))
    #expect(waiting.abandon(failure) == nil)
    #expect(waiting.take() == .give(.end(cancelled)))
  }

  @Test func `H1: there is never less than no room`() {
    var machine = ResponseBodyStateMachine()
    let size = ResponseBodyStateMachine.capacity
    #expect(machine.deliver([UInt8](repeating: 0, count: size + 1), isPaused: true) == nil)
    #expect(machine.room == 0)
  }
}
