/// The life of one request, as a value without threads, sockets or waiting.
///
/// ```
/// reserved ──▶ queued ──▶ starting ──▶ headers ──▶ body ──▶ done
///    │            │           │  ▲        │ │        │        ▲
///    │            │           │  └────────┘ │        │        │
///    │            │           └───────▶ refused ◀────┘ ───────┤
///    ├────────────┴──────────────────────────────────────────▶│
///    └──▶ cancelled ──────────────────────────────────────────┘
/// ```
///
/// Each event returns the one thing the driver must do next. Exactly one of them per request
/// resumes the caller.
struct TransferStateMachine {
  /// Why a transfer ends without a response although libcurl did not fail.
  enum Refusal: Equatable {
    case bodyTooLarge
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
    /// The header section has ended. Can go to: headers (another response, before any body),
    /// refused, done.
    case body
    /// We refused what came; libcurl is about to report the end. Can go to: done.
    case refused(Refusal)
    /// The caller has its answer. Can go nowhere.
    case done
  }

  private var state: State = .reserved
  private var head = ResponseHead()
  private var headerSize = 0
  private var bodySize = 0
  private let limits: HTTPLimits

  /// Creates a machine for a request with these limits.
  init(limits: HTTPLimits) { self.limits = limits }
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
    case .queued, .starting, .headers, .body, .refused, .done:
      impossible("wait")
    }
  }

  /// A connection slot was granted, so the transfer goes to libcurl.
  mutating func start() {
    switch state {
    case .queued: state = .starting
    case .reserved, .cancelled, .starting, .headers, .body, .refused, .done: impossible("start")
    }
  }

  /// What to do when a transfer is to end early, by a cancel or by the client's shutdown.
  enum EndAction: Equatable {
    /// Nothing: nobody waits yet, or no longer.
    case none
    /// Leave the queue for connection slots, and resume the caller.
    case leaveQueue
    /// Take the transfer from libcurl, free its slot, and resume the caller.
    case abandonTransfer
  }

  /// The caller's task was cancelled, or the client is shutting down.
  mutating func end() -> EndAction {
    switch state {
    case .reserved:
      state = .cancelled
      return .none
    case .queued:
      state = .done
      return .leaveQueue
    case .starting, .headers, .body, .refused:
      state = .done
      return .abandonTransfer
    case .cancelled, .done:
      return .none
    }
  }
}

extension TransferStateMachine {
  /// What libcurl is told about what it has just delivered.
  enum ReceiveAction: Equatable {
    /// Go on.
    case proceed
    /// Stop the transfer.
    case refuse
  }

  /// One whole header line arrived, with its line break: status line, field, blank line or trailer.
  ///
  /// libcurl accepts status lines that RFC 9112 does not know, `HTTP/1.1 200OK` for one, and
  /// delivers what follows them. What cannot be read here is therefore refused, never impossible.
  mutating func receiveHeaderLine(_ line: [UInt8]) -> ReceiveAction {
    headerSize += line.count
    if headerSize > limits.headerSize { return refuse(.headersTooLarge) }
    switch state {
    case .starting:
      return receiveStatusLine(line)
    case .body where ResponseHead.isLikeStatusLine(line):
      // After the first byte of a body it is a trailer, and no field.
      return bodySize == 0 ? receiveStatusLine(line) : refuse(.notHTTP)
    case .body:
      // A trailer, which nobody asked for.
      return .proceed
    case .headers where ResponseHead.isLikeStatusLine(line):
      return refuse(.notHTTP)
    case .headers:
      if ResponseHead.isBlank(line) {
        state = head.isInterim ? .starting : .body
        return .proceed
      }
      head.append(line)
      return head.hasConflictingLengths ? refuse(.conflictingLengths) : .proceed
    case .refused:
      return .refuse
    case .reserved, .cancelled, .queued, .done:
      impossible("receiveHeaderLine")
    }
  }

  private mutating func receiveStatusLine(_ line: [UInt8]) -> ReceiveAction {
    guard let status = ResponseHead.status(of: line) else { return refuse(.notHTTP) }
    head = ResponseHead(status: status)
    state = .headers
    return .proceed
  }

  /// Bytes of the body arrived, decompressed.
  mutating func receiveBody(count: Int) -> ReceiveAction {
    switch state {
    case .body:
      bodySize += count
      return bodySize > limits.bodySize ? refuse(.bodyTooLarge) : .proceed
    case .starting, .headers:
      // libcurl saw the end of a header section where there is none.
      return refuse(.notHTTP)
    case .refused:
      return .refuse
    case .reserved, .cancelled, .queued, .done:
      impossible("receiveBody")
    }
  }

  /// What to tell the caller when libcurl is done.
  enum FinishAction: Equatable {
    /// There is a response with this head; the driver has its body.
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
    case .refused(let refusal):
      state = .done
      return .failRefused(refusal)
    case .reserved, .cancelled, .queued, .done:
      impossible("finish")
    }
  }

  private mutating func refuse(_ refusal: Refusal) -> ReceiveAction {
    state = .refused(refusal)
    return .refuse
  }

  /// A pair of state and event that the driver cannot produce; both are named for the report.
  private func impossible(_ event: String) -> Never {
    preconditionFailure("A transfer that is \(state) met the event \(event).")
  }
}
