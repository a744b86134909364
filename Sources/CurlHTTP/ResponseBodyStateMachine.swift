/// What has come of a streamed body and was not read yet, as a pure value.
///
/// ```
/// open ──▶ ended ──▶ read
/// ```
///
/// The loop thread delivers, a task takes. A reader takes all there is at once, so each take makes
/// room for everything again.
struct ResponseBodyStateMachine {
  /// How many bytes wait for the reader before libcurl is told to read no more.
  ///
  /// Enough for a fast reader to need few hops between threads, and little beside what the system
  /// keeps for a connection.
  static let capacity = 256 * 1024

  private enum State {
    /// More may come. Can go to: ended.
    case open
    /// Nothing more comes; what has come can still be taken. Can go to: ended (the reader gave up),
    /// read.
    case ended(HTTPClientError?)
    /// The reader has seen the end, and sees it again if they ask again. Can go nowhere.
    case read(HTTPClientError?)
  }

  private var state: State = .open
  private var bytes: [UInt8] = []
  private var isWaiting = false
  /// Whether libcurl holds back more until there is room.
  private var isPaused = false
}

extension ResponseBodyStateMachine {
  /// What a reader gets.
  enum Taken: Equatable {
    /// Bytes, never none.
    case bytes([UInt8])
    /// Nothing more: the end of the body, or the reason why it has none.
    case end(HTTPClientError?)
  }

  /// Bytes came.
  ///
  /// - Parameters:
  ///   - new: The bytes.
  ///   - isPaused: Whether libcurl holds back more.
  /// - Returns: With what to resume the reader, if they wait.
  mutating func deliver(_ new: [UInt8], isPaused: Bool) -> Taken? {
    switch state {
    case .open:
      // The first are kept as they are, without a copy.
      if bytes.isEmpty { bytes = new } else { bytes += new }
      let resumption = resumption()
      // Where nothing is left there is nothing to wait for: the driver resumes libcurl itself.
      self.isPaused = isPaused && !bytes.isEmpty
      return resumption
    case .ended, .read:
      return nil
    }
  }

  /// Nothing more comes: for this reason, or because it was all.
  ///
  /// The first end counts.
  ///
  /// - Returns: With what to resume the reader, if they wait.
  mutating func finish(_ failure: HTTPClientError?) -> Taken? {
    switch state {
    case .open:
      state = .ended(failure)
      isPaused = false
      return resumption()
    case .ended, .read:
      return nil
    }
  }

  /// The reader gives up, so what has come and was not taken is thrown away.
  ///
  /// - Returns: With what to resume the reader, if they wait.
  mutating func abandon(_ reason: HTTPClientError) -> Taken? {
    switch state {
    case .open, .ended:
      bytes = []
      state = .ended(reason)
      isPaused = false
      return resumption()
    case .read:
      return nil
    }
  }

  /// What to do for a reader who asks.
  enum TakeAction: Equatable {
    /// Give them this; if `resumesTransfer`, libcurl waits for the room that this made.
    case give(Taken, resumesTransfer: Bool = false)
    /// There is nothing yet.
    case wait
  }

  /// The reader asks for what has come.
  mutating func take() -> TakeAction {
    if !bytes.isEmpty {
      defer {
        bytes = []
        isPaused = false
      }
      return .give(.bytes(bytes), resumesTransfer: isPaused)
    }
    switch state {
    case .open:
      return .wait
    case .ended(let failure):
      state = .read(failure)
      return .give(.end(failure))
    case .read(let failure):
      return .give(.end(failure))
    }
  }

  /// The reader begins to wait, unless there is something by now.
  mutating func wait() -> TakeAction {
    // An iterator is not Sendable, so this takes a caller who works around the compiler.
    precondition(!isWaiting, "Two tasks wait for the body of one response; it has one reader.")
    let action = take()
    isWaiting = action == .wait
    return action
  }

  /// For how many bytes there is room.
  var room: Int { max(0, Self.capacity - bytes.count) }

  private mutating func resumption() -> Taken? {
    guard isWaiting, case .give(let taken, _) = take() else { return nil }
    isWaiting = false
    return taken
  }
}
