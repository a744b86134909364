/// The life of one request, as a value without threads, sockets or waiting.
///
/// ```
/// reserved ──▶ queued ──▶ starting ──▶ headers ──▶ body ◀──▶ paused
///    │            │           │  ▲        │ │        │          │
///    │            │           │  └────────┘ │        │          │
///    │            │           └───────▶ refused ◀────┴──────────┤
///    │            │                        │                    │
///    ├────────────┴────────────────────────┴──────────▶ done ◀──┘
///    └──▶ cancelled ─────────────────────────────────────▲
/// ```
///
/// Each event returns the one thing the driver must do next. Exactly one of them per request
/// answers the caller: for a response that is streamed the end of its headers, where it has one.
struct TransferStateMachine {
  /// Why a transfer ends without a response although libcurl did not fail.
  enum Refusal: Equatable {
    case bodyTooLarge(limit: Int)
    case headersTooLarge
    case conflictingLengths
    case notHTTP
  }

  private enum State {
    /// An identity was given out; nobody waits yet. Can go to: queued, cancelled, done.
    case reserved
    /// It was cancelled before anybody waited. Can go to: done.
    case cancelled
    /// The caller waits; there is no connection slot yet. Can go to: starting, done.
    case queued
    /// libcurl has it; the next line is a status line. Can go to: headers, refused, done.
    case starting
    /// Header lines are coming. Can go to: headers, starting (an interim response), body, refused,
    /// done.
    case headers
    /// The header section has ended. Can go to: headers (another response, before any body and if
    /// the first was not handed out), paused, refused, done.
    case body
    /// The reader of the body has enough for now; libcurl holds what comes. Can go to: body,
    /// refused, done.
    case paused
    /// We refused what came; libcurl is about to report the end. Can go to: done.
    case refused(Refusal)
    /// The caller has its answer. Can go nowhere.
    case done
  }

  private var state: State = .reserved
  private(set) var head = ResponseHead()
  private var headerSize = 0
  private var bodySize = 0
  private let headerLimit: Int
  private let bodyLimit: Int
  private let isStreamed: Bool

  /// Creates a machine for a request with these limits, whose response is collected or streamed.
  init(limits: HTTPLimits, isStreamed: Bool = false) {
    headerLimit = limits.headerSize
    bodyLimit = isStreamed ? limits.streamedBodySize ?? .max : limits.bodySize
    self.isStreamed = isStreamed
  }
}

extension TransferStateMachine {
  /// What to do when the caller begins to wait.
  enum WaitAction: Equatable {
    /// Ask for a connection slot.
    case enqueue
    /// Resume the caller: its task was cancelled before it waited.
    case resumeCancelled
  }

  /// The caller waits from now on.
  mutating func wait() -> WaitAction {
    switch state {
    case .reserved:
      state = .queued
      return .enqueue
    case .cancelled:
      state = .done
      return .resumeCancelled
    case .queued, .starting, .headers, .body, .paused, .refused, .done:
      impossible("wait")
    }
  }

  /// A connection slot was granted, so the transfer goes to libcurl.
  mutating func start() {
    switch state {
    case .queued: state = .starting
    case .reserved, .cancelled, .starting, .headers, .body, .paused, .refused, .done:
      impossible("start")
    }
  }

  /// What to do when a transfer is to end early: by a cancel, a time limit, the source of its body
  /// or the client's shutdown.
  enum EndAction: Equatable {
    /// Nothing: nobody waits yet, or no longer.
    case none
    /// Leave the queue for connection slots, and resume the caller.
    case leaveQueue
    /// Take the transfer from libcurl, free its slot, and resume the caller.
    case abandonTransfer
  }

  /// The transfer is to end before libcurl says so.
  mutating func end() -> EndAction {
    switch state {
    case .reserved:
      state = .cancelled
      return .none
    case .queued:
      state = .done
      return .leaveQueue
    case .starting, .headers, .body, .paused, .refused:
      state = .done
      return .abandonTransfer
    case .cancelled, .done:
      return .none
    }
  }
}

extension TransferStateMachine {
  /// What to do about a header line that libcurl has just delivered.
  enum HeaderAction: Equatable {
    /// Go on.
    case proceed
    /// Go on, and hand the head to the caller, who gets the body as it comes.
    case announce
    /// Stop the transfer.
    case refuse
  }

  /// One whole header line arrived, with its line break: status line, field, blank line or trailer.
  ///
  /// libcurl accepts status lines that RFC 9112 does not know, `HTTP/1.1 200OK` for one, and
  /// delivers what follows them. What cannot be read here is therefore refused, never impossible.
  mutating func receiveHeaderLine(_ line: [UInt8]) -> HeaderAction {
    headerSize += line.count
    if headerSize > headerLimit { return refuse(.headersTooLarge) }
    switch state {
    case .starting:
      return receiveStatusLine(line)
    case .body where ResponseHead.isLikeStatusLine(line),
      .paused where ResponseHead.isLikeStatusLine(line):
      // After the first byte of a body it is a trailer, and no field.
      return bodySize == 0 && !isStreamed ? receiveStatusLine(line) : refuse(.notHTTP)
    case .body, .paused:
      // A trailer, which nobody asked for.
      return .proceed
    case .headers where ResponseHead.isLikeStatusLine(line):
      return refuse(.notHTTP)
    case .headers:
      if ResponseHead.isBlank(line) {
        state = head.isInterim ? .starting : .body
        return isStreamed && !head.isInterim ? .announce : .proceed
      }
      head.append(line)
      if head.isMalformed { return refuse(.notHTTP) }
      return head.hasConflictingLengths ? refuse(.conflictingLengths) : .proceed
    case .refused:
      return .refuse
    case .reserved, .cancelled, .queued, .done:
      impossible("receiveHeaderLine")
    }
  }

  private mutating func receiveStatusLine(_ line: [UInt8]) -> HeaderAction {
    guard let status = ResponseHead.status(of: line) else { return refuse(.notHTTP) }
    head = ResponseHead(status: status)
    state = .headers
    return .proceed
  }

  /// What to do with bytes of the body that libcurl has just delivered.
  enum BodyAction: Equatable {
    /// Keep them and go on.
    case proceed
    /// Keep nothing and stop reading; libcurl delivers the same bytes again later.
    case pause
    /// Stop the transfer.
    case refuse
  }

  /// Bytes of the body arrived, decompressed.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - hasRoom: Whether the reader can take them now.
  /// - Returns: What to do with them.
  mutating func receiveBody(count: Int, hasRoom: Bool = true) -> BodyAction {
    switch state {
    case .body, .paused:
      // Before it may pause: what is too much is known without the reader.
      if count > bodyLimit - bodySize { return refuseBody(.bodyTooLarge(limit: bodyLimit)) }
      guard hasRoom else {
        state = .paused
        return .pause
      }
      state = .body
      bodySize += count
      return .proceed
    case .starting, .headers:
      // libcurl saw the end of a header section where there is none.
      return refuseBody(.notHTTP)
    case .refused:
      return .refuse
    case .reserved, .cancelled, .queued, .done:
      impossible("receiveBody")
    }
  }

  /// The reader has room again.
  ///
  /// - Returns: Whether libcurl is to go on; not if it is not paused, or the transfer is over.
  mutating func resume() -> Bool {
    switch state {
    case .paused:
      state = .body
      return true
    case .reserved, .cancelled, .queued, .starting, .headers, .body, .refused, .done:
      return false
    }
  }

  /// Whether the transfer waits for the reader of the body.
  var isPaused: Bool {
    switch state {
    case .paused: true
    case .reserved, .cancelled, .queued, .starting, .headers, .body, .refused, .done: false
    }
  }

  /// The status that the server has answered with for good, or nil if it has not yet.
  var finalStatus: Int? {
    switch state {
    case .body, .paused: head.status
    case .reserved, .cancelled, .queued, .starting, .headers, .refused, .done: nil
    }
  }

  /// Whether the server has answered in a way that ends the sending of the body: with a redirect or
  /// an error.
  var hasEndedUpload: Bool { finalStatus.map { $0 >= 300 } ?? false }

  /// What to tell the caller when libcurl is done.
  enum FinishAction: Equatable {
    /// There is a response with this head; the driver has its body, or has handed it out.
    case succeed(ResponseHead)
    /// We refused the response.
    case failRefused(Refusal)
    /// libcurl failed, as its outcome says.
    case failTransfer
  }

  /// libcurl reported the end of the transfer.
  mutating func finish(succeeded: Bool) -> FinishAction {
    switch state {
    case .starting, .headers:
      state = .done
      return .failTransfer
    case .body:
      state = .done
      return succeeded ? .succeed(head) : .failTransfer
    case .paused:
      // libcurl holds bytes that nobody has seen, so this is no whole body, whatever it says.
      state = .done
      return .failTransfer
    case .refused(let refusal):
      state = .done
      return .failRefused(refusal)
    case .reserved, .cancelled, .queued, .done:
      impossible("finish")
    }
  }

  private mutating func refuse(_ refusal: Refusal) -> HeaderAction {
    state = .refused(refusal)
    return .refuse
  }

  private mutating func refuseBody(_ refusal: Refusal) -> BodyAction {
    state = .refused(refusal)
    return .refuse
  }

  /// A pair of state and event that the driver cannot produce; both are named for the report.
  private func impossible(_ event: String) -> Never {
    preconditionFailure("A transfer that is \(state) met the event \(event).")
  }
}
