/// What a source has given of a streamed request body and was not sent yet, as a pure value.
///
/// ```
/// open ──▶ finished ──▶ closed
///   ├────▶ failed ────────▲
///   └─────────────────────┘
/// ```
///
/// A task gives, the loop thread takes, when libcurl asks. Where the length is announced, the last
/// byte is held back until the source has ended: a server never sees a whole request of which
/// something was left out.
struct RequestBodyStateMachine {
  /// How many bytes wait to be sent before the source is asked for no more.
  static let capacity = 256 * 1024

  /// Why a body cannot be sent to its end.
  enum Failure {
    /// The source threw this.
    case thrown(any Error)
    /// The source gave another number of bytes than was announced; `given` stops at the first that
    /// is too many.
    case wrongLength(announced: Int, given: Int)
  }

  private enum State {
    /// The source may give more. Can go to: finished, failed, closed.
    case open
    /// The source has given everything. Can go to: closed.
    case finished
    /// The body cannot be sent. Can go to: closed.
    case failed
    /// The transfer is over; nobody wants more. Can go nowhere.
    case closed
  }

  /// How many bytes were announced; nil for an unknown number.
  let length: Int?
  private var state: State = .open
  private(set) var bytes: [UInt8] = []
  /// How many of `bytes` were taken.
  private var taken = 0
  /// How many bytes the source has given in all.
  private var given = 0
  /// Whether libcurl was told to wait for more.
  private(set) var isPaused = false
  private var isWaitingForRoom = false

  init(length: Int?) { self.length = length }
}

extension RequestBodyStateMachine {
  /// What to do after the source has said something.
  enum SourceAction {
    /// Ask it for more, and tell the transfer first if that waits for more.
    case goOn(resumesTransfer: Bool)
    /// Wait for room, and tell the transfer first if that waits for more.
    case waitForRoom(resumesTransfer: Bool)
    /// End the transfer; ask for no more.
    case fail(Failure)
    /// Ask for no more.
    case stop
  }

  /// The source gave a piece of the body.
  mutating func give(_ piece: [UInt8]) -> SourceAction {
    switch state {
    case .open:
      given += piece.count
      if let length, given > length {
        return fail(.wrongLength(announced: length, given: given))
      }
      // A piece that comes alone is kept as it is, without a copy.
      if taken == bytes.count {
        bytes = piece
        taken = 0
      } else {
        // Without what was sent: a source that is faster than the network would fill the memory.
        bytes.removeFirst(taken)
        taken = 0
        bytes += piece
      }
      let resumes = resumes()
      return hasRoom
        ? .goOn(resumesTransfer: resumes) : .waitForRoom(resumesTransfer: resumes)
    case .failed, .closed:
      return .stop
    case .finished:
      preconditionFailure("A source gave more after its end.")
    }
  }

  /// The source has ended.
  mutating func finish() -> SourceAction {
    switch state {
    case .open:
      if let length, given < length {
        return fail(.wrongLength(announced: length, given: given))
      }
      state = .finished
      return .goOn(resumesTransfer: resumes())
    case .finished, .failed, .closed:
      return .stop
    }
  }

  /// The source threw.
  mutating func fail(_ failure: Failure) -> SourceAction {
    switch state {
    case .open:
      state = .failed
      bytes = []
      taken = 0
      return .fail(failure)
    case .finished, .failed, .closed:
      return .stop
    }
  }

  /// The source begins to wait for room.
  ///
  /// - Returns: Whether there is none yet; otherwise it need not wait.
  mutating func waitForRoom() -> Bool {
    switch state {
    case .open:
      isWaitingForRoom = !hasRoom
      return isWaitingForRoom
    case .finished, .failed, .closed:
      return false
    }
  }
}

/// What libcurl gets when it asks for the next bytes of a body.
enum UploadStep: Equatable {
  /// Send these.
  case bytes(ArraySlice<UInt8>)
  /// Nothing yet; ask again when the transfer is resumed.
  case pause
  /// That was all.
  case end
}

extension RequestBodyStateMachine {
  /// libcurl asks for bytes.
  ///
  /// - Parameter limit: How many it can take, at least 1.
  /// - Returns: What it gets, and whether the source, who waits for room, has it now.
  mutating func take(limit: Int) -> (step: UploadStep, resumesSource: Bool) {
    switch state {
    case .open:
      // All that was announced may be here, but not the end of the source.
      let isComplete = given == length
      let end = isComplete ? bytes.count - 1 : bytes.count
      return take(upTo: end, limit: limit) ?? paused()
    case .finished:
      return take(upTo: bytes.count, limit: limit) ?? (.end, false)
    case .failed, .closed:
      // The command that ends the transfer is on its way, or was there.
      return (.pause, false)
    }
  }

  /// The transfer is over; whoever waits for room is to be told.
  mutating func close() {
    state = .closed
    bytes = []
    taken = 0
    isPaused = false
    isWaitingForRoom = false
  }

  private mutating func take(
    upTo end: Int, limit: Int
  ) -> (step: UploadStep, resumesSource: Bool)? {
    guard taken < end else { return nil }
    let next = min(end, taken + limit)
    let piece = bytes[taken..<next]
    taken = next
    let resumesSource = isWaitingForRoom && hasRoom
    if resumesSource { isWaitingForRoom = false }
    return (.bytes(piece), resumesSource)
  }

  private mutating func paused() -> (step: UploadStep, resumesSource: Bool) {
    isPaused = true
    return (.pause, false)
  }

  private var hasRoom: Bool { bytes.count - taken < Self.capacity }

  private mutating func resumes() -> Bool {
    defer { isPaused = false }
    return isPaused
  }
}
