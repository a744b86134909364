import Testing

@testable import CurlHTTP

@Suite
struct TransferStateMachineTests {
  @Test func `a whole response succeeds with its head`() {
    var machine = started()
    #expect(machine.receive("HTTP/1.1 200 OK\r\n") == .proceed)
    #expect(machine.receive("X: 1\r\n") == .proceed)
    #expect(machine.receive("\r\n") == .proceed)
    #expect(machine.receiveBody(count: 10) == .proceed)
    var head = ResponseHead(status: 200)
    head.append([UInt8]("X: 1\r\n".utf8))
    #expect(machine.finish(succeeded: true) == .succeed(head))
  }

  @Test func `H10: a cancel before anybody waits is remembered`() {
    var machine = TransferStateMachine(limits: HTTPLimits())
    #expect(machine.end() == .none)
    #expect(machine.end() == .none)
    #expect(machine.wait() == .resumeCancelled)
    #expect(machine.end() == .none)
  }

  @Test func `H10: a cancel in the queue leaves the queue`() {
    var machine = TransferStateMachine(limits: HTTPLimits())
    #expect(machine.wait() == .enqueue)
    #expect(machine.end() == .leaveQueue)
    #expect(machine.end() == .none)
  }

  @Test func `H10: a cancel at any point of the transfer abandons it, once`() {
    let lines = ["HTTP/1.1 200 OK\r\n", "X: 1\r\n", "\r\n"]
    for count in 0...lines.count {
      var machine = started()
      for line in lines.prefix(count) { #expect(machine.receive(line) == .proceed) }
      #expect(machine.end() == .abandonTransfer)
      #expect(machine.end() == .none)
    }
  }

  @Test func `H10: a cancel after the end does nothing`() {
    var machine = started()
    #expect(machine.finish(succeeded: false) == .failTransfer)
    #expect(machine.end() == .none)
  }

  @Test func `H5: success without a whole header section is a failure`() {
    var nothing = started()
    #expect(nothing.finish(succeeded: true) == .failTransfer)
    var half = started()
    #expect(half.receive("HTTP/1.1 200 OK\r\n") == .proceed)
    #expect(half.finish(succeeded: true) == .failTransfer)
    var interim = started()
    #expect(interim.receive("HTTP/1.1 100 Continue\r\n") == .proceed)
    #expect(interim.receive("\r\n") == .proceed)
    #expect(interim.finish(succeeded: true) == .failTransfer)
  }

  @Test func `H4: what was refused stays refused, whatever libcurl says`() {
    for succeeded in [true, false] {
      var machine = started(HTTPLimits(bodySize: 10))
      machine.receiveHead()
      #expect(machine.receiveBody(count: 10) == .proceed)
      #expect(machine.receiveBody(count: 0) == .proceed)
      #expect(machine.receiveBody(count: 1) == .refuse)
      #expect(machine.receiveBody(count: 0) == .refuse)
      #expect(machine.receive("X: 1\r\n") == .refuse)
      #expect(machine.finish(succeeded: succeeded) == .failRefused(.bodyTooLarge(limit: 10)))
    }
  }

  @Test func `H4: header bytes are counted over all responses and trailers`() {
    var machine = started(HTTPLimits(headerSize: 50))
    for _ in 0..<2 {
      #expect(machine.receive("HTTP/1.1 100 Go\r\n") == .proceed)  // 17 bytes
      #expect(machine.receive("\r\n") == .proceed)  // 2 bytes
    }
    #expect(machine.receive("HTTP/1.1 200 OK\r\n") == .refuse)
    #expect(machine.finish(succeeded: false) == .failRefused(.headersTooLarge))

    var trailing = started(HTTPLimits(headerSize: 50))
    trailing.receiveHead()
    #expect(trailing.receive("X-Trailer: 0123456789\r\n") == .proceed)
    #expect(trailing.receive("X-Trailer: 0123456789\r\n") == .refuse)
  }

  // libcurl takes each of these for a status line and delivers the body behind it.
  @Test(arguments: [
    "HTTP/1.1 200\tOK", "HTTP/1.1 200OK", "HTTP/1.1 \t200 OK", "http/1.1 200 OK", "HTTP/1.1 200,",
    "HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 099 Low", "HTTP/1.1 +20 OK", "HTTP/1.1 2\u{664}0 OK", "",
    "X: 1",
  ])
  func `H5: what is no status line is refused, and so is a body after it`(line: String) {
    var machine = started()
    #expect(machine.receive(line + "\r\n") == .refuse)
    #expect(machine.receive("\r\n") == .refuse)
    #expect(machine.receiveBody(count: 4) == .refuse)
    #expect(machine.finish(succeeded: true) == .failRefused(.notHTTP))
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK", 200), ("HTTP/1.0 404", 404), ("HTTP/2 204 ", 204),
    ("HTTP/1.1  599 A B  C", 599),
  ])
  func `H1: a status line is read with and without its reason`(line: String, status: Int) {
    var machine = started()
    #expect(machine.receive(line + "\r\n") == .proceed)
    #expect(machine.receive("\r\n") == .proceed)
    #expect(machine.finish(succeeded: true) == .succeed(ResponseHead(status: status)))
  }

  @Test func `H5: a body before the end of the headers is refused`() {
    for lines in [[], ["HTTP/1.1 200 OK\r\n"], ["HTTP/1.1 100 Go\r\n", "\r\n"]] {
      var machine = started()
      for line in lines { #expect(machine.receive(line) == .proceed) }
      #expect(machine.receiveBody(count: 1) == .refuse)
      #expect(machine.finish(succeeded: true) == .failRefused(.notHTTP))
    }
  }

  @Test func `H5: after 101, which nobody asked for, no other response follows`() {
    var machine = started()
    #expect(machine.receive("HTTP/1.1 101 Switching\r\n") == .proceed)
    #expect(machine.receive("\r\n") == .proceed)
    #expect(machine.receiveBody(count: 4) == .proceed)
    #expect(machine.finish(succeeded: true) == .succeed(ResponseHead(status: 101)))
  }

  @Test func `H5: a status line among the headers or after the body does not replace the status`() {
    var inHeaders = started()
    #expect(inHeaders.receive("HTTP/1.1 500 No\r\n") == .proceed)
    #expect(inHeaders.receive("HTTP/1.1 200 OK\r\n") == .refuse)
    var inTrailers = started()
    inTrailers.receiveHead()
    #expect(inTrailers.receiveBody(count: 1) == .proceed)
    #expect(inTrailers.receive("HTTP/1.1 500 a:b\r\n") == .refuse)
    #expect(inTrailers.finish(succeeded: true) == .failRefused(.notHTTP))
  }

  @Test func `H5: no order of what a server can send ends the process`() {
    let events = [
      "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Go\r\n", "HTTP/1.1 101 Other\r\n", "X: 1\r\n", "\r\n",
      "http/1.1 200OK\r\n", "",
    ]
    let length = 5
    for number in 0..<16_807 {
      var machine = started()
      var rest = number
      var isRefused = false
      for _ in 0..<length {
        let event = events[rest % events.count]
        rest /= events.count
        // An empty line stands for a body, which libcurl may deliver at any time.
        let refuses =
          event.isEmpty
          ? machine.receiveBody(count: 1) == .refuse : machine.receive(event) == .refuse
        if isRefused { #expect(refuses) }
        isRefused = refuses
      }
      // libcurl may be content with all of it, or not.
      let end = machine.finish(succeeded: number.isMultiple(of: 2))
      #expect((end == .failRefused(.notHTTP)) == isRefused)
    }
  }

  @Test func `H1: a response that another one follows counts for nothing`() {
    var machine = started()
    machine.receiveHead()
    #expect(machine.receive("HTTP/1.1 404 Not Found\r\n") == .proceed)
    #expect(machine.receive("\r\n") == .proceed)
    #expect(machine.finish(succeeded: true) == .succeed(ResponseHead(status: 404)))
  }

  @Test func `H1: a field ends at its colon, whatever mark combines with it`() {
    var head = ResponseHead(status: 200)
    head.append([UInt8]("X:\u{301}1\r\n".utf8))
    #expect(head.headers == ["X": "\u{301}1"])
    head.append([UInt8]("Content-Length: 5,\u{301}6\r\n".utf8))
    #expect(head.hasConflictingLengths)
  }

  @Test func `H1: a trailer is no header`() {
    var machine = started()
    machine.receiveHead()
    #expect(machine.receive("X-Trailer: 1\r\n") == .proceed)
    #expect(machine.finish(succeeded: true) == .succeed(ResponseHead(status: 200)))
  }

  @Test(arguments: [
    (["5"], false), (["5", "5"], false), (["5, 5"], false), (["5", "6"], true), (["5, 6"], true),
    (["5", "05"], true), (["5", "-5"], true), (["5,"], true),
  ])
  func `H5: lengths that disagree are a conflict`(values: [String], isConflict: Bool) {
    var machine = started()
    _ = machine.receive("HTTP/1.1 200 OK\r\n")
    var last = TransferStateMachine.HeaderAction.proceed
    for value in values { last = machine.receive("content-LENGTH: \(value)\r\n") }
    #expect(last == (isConflict ? .refuse : .proceed))
  }

  @Test func `H1: the head of a stream is announced once, at the end of the final headers`() {
    var machine = started(isStreamed: true)
    #expect(machine.receive("HTTP/1.1 103 Early Hints\r\n") == .proceed)
    #expect(machine.receive("\r\n") == .proceed)
    #expect(machine.finalStatus == nil)
    #expect(machine.receive("HTTP/1.1 200 OK\r\n") == .proceed)
    #expect(machine.receive("\r\n") == .announce)
    #expect(machine.finalStatus == 200)
    // Nothing can take its place any more.
    #expect(machine.receive("HTTP/1.1 404 No\r\n") == .refuse)
  }

  @Test func `H1: without room a stream pauses, and what is paused counts once`() {
    var machine = started(HTTPLimits(streamedBodySize: 10), isStreamed: true)
    #expect(machine.receive("HTTP/1.1 200 OK\r\n") == .proceed)
    #expect(machine.receive("\r\n") == .announce)
    #expect(machine.resume() == false)
    #expect(machine.receiveBody(count: 10, hasRoom: false) == .pause)
    #expect(machine.isPaused)
    #expect(machine.finalStatus == 200)
    #expect(machine.receiveBody(count: 10, hasRoom: false) == .pause)
    #expect(machine.resume() == true)
    #expect(machine.resume() == false)
    #expect(machine.receiveBody(count: 10, hasRoom: true) == .proceed)
    #expect(!machine.isPaused)
    // What is too much is refused rather than paused for.
    #expect(machine.receiveBody(count: 1, hasRoom: false) == .refuse)
    #expect(machine.finish(succeeded: true) == .failRefused(.bodyTooLarge(limit: 10)))
  }

  @Test func `H5: a transfer that ends while it is paused is not whole`() {
    for succeeded in [true, false] {
      var machine = started(isStreamed: true)
      #expect(machine.receive("HTTP/1.1 200 OK\r\n") == .proceed)
      #expect(machine.receive("\r\n") == .announce)
      #expect(machine.receiveBody(count: 1, hasRoom: false) == .pause)
      #expect(machine.finish(succeeded: succeeded) == .failTransfer)
      #expect(machine.resume() == false)
    }
  }

  @Test func `H10: a cancel while paused abandons the transfer`() {
    var machine = started(isStreamed: true)
    #expect(machine.receive("HTTP/1.1 200 OK\r\n") == .proceed)
    #expect(machine.receive("\r\n") == .announce)
    #expect(machine.receiveBody(count: 1, hasRoom: false) == .pause)
    #expect(machine.end() == .abandonTransfer)
    #expect(machine.end() == .none)
    #expect(machine.resume() == false)
  }

  private func started(
    _ limits: HTTPLimits = HTTPLimits(), isStreamed: Bool = false
  ) -> TransferStateMachine {
    var machine = TransferStateMachine(limits: limits, isStreamed: isStreamed)
    #expect(machine.wait() == .enqueue)
    machine.start()
    return machine
  }
}

extension TransferStateMachine {
  fileprivate mutating func receive(_ line: String) -> HeaderAction {
    receiveHeaderLine([UInt8](line.utf8))
  }

  fileprivate mutating func receiveHead() {
    #expect(receive("HTTP/1.1 200 OK\r\n") == .proceed)
    #expect(receive("\r\n") == .proceed)
  }
}
