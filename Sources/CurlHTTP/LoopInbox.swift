/// What callers ask of the loop thread, and whether it still listens, as a pure value.
///
/// ```
/// open ──▶ stopping ──▶ closed
///   └───────────────────▲
/// ```
struct LoopInbox {
  /// Something to do on the loop thread.
  ///
  /// Commands are done in the order they were given, so what happens to an identity before anybody
  /// waits for it is not lost.
  enum Command {
    /// Make the request known, so that it can be cancelled from now on.
    case reserve(UInt64, TransferOrder)
    /// Start the request; the continuation gets the answer.
    case wait(UInt64, TransferContinuation)
    /// End the request if it has not ended.
    case cancel(UInt64)
    /// The reader of a streamed response has room again.
    case resume(UInt64)
    /// The source of a streamed body has something to say.
    case upload(UInt64, RequestBodyBuffer.Event)
  }

  private enum State {
    /// Commands are taken. Can go to: stopping, closed.
    case open
    /// The loop is to end; nothing new is taken. Can go to: closed.
    case stopping
    /// The loop has ended, or never began, for this reason. Can go nowhere.
    case closed(HTTPClientError.Kind)
  }

  private var state: State = .open
  private var commands: [Command] = []
  private var lastID: UInt64 = 0
  /// Whether the loop thread is waiting, or about to, and would not see a command by itself.
  private var isPolling = false
}

extension LoopInbox {
  /// What to do after a command was given.
  enum SubmitAction: Equatable {
    /// Nothing: the loop thread will look before it waits.
    case none
    /// Wake the loop thread.
    case wake
    /// The command was not taken, for this reason.
    case refuse(HTTPClientError.Kind)
  }

  /// Gives a request an identity, larger than all before it.
  ///
  /// It needs no waking: nobody waits yet.
  mutating func reserve(_ order: TransferOrder) -> Result<UInt64, HTTPClientError> {
    if let refusal { return .failure(HTTPClientError(refusal, request: order.request)) }
    lastID += 1
    commands.append(.reserve(lastID, order))
    return .success(lastID)
  }

  /// Takes a command about a reserved identity.
  mutating func submit(_ command: Command) -> SubmitAction {
    if let refusal { return .refuse(refusal) }
    commands.append(command)
    return wakeIfPolling()
  }

  /// Asks the loop to end.
  ///
  /// Asking twice is asking once.
  mutating func stop() -> SubmitAction {
    switch state {
    case .open:
      state = .stopping
      return wakeIfPolling()
    case .stopping, .closed:
      return .none
    }
  }

  /// Takes all commands out, and says whether the loop is to end after them.
  mutating func take() -> (commands: [Command], isStopping: Bool) {
    isPolling = false
    defer { commands = [] }
    switch state {
    case .open: return (commands, false)
    case .stopping, .closed: return (commands, true)
    }
  }

  /// Whether the loop may wait now.
  ///
  /// A command given later will wake it, one given before is seen here: the wakeup cannot be lost
  /// between the two.
  mutating func preparesToPoll() -> Bool {
    switch state {
    case .open:
      isPolling = commands.isEmpty
      return isPolling
    case .stopping, .closed:
      return false
    }
  }

  /// The loop has ended; later commands are refused with this reason.
  ///
  /// - Returns: The commands that nobody will do.
  mutating func close(_ reason: HTTPClientError.Kind) -> [Command] {
    state = .closed(reason)
    defer { commands = [] }
    return commands
  }

  /// Whether the loop has ended.
  var isClosed: Bool {
    switch state {
    case .open, .stopping: false
    case .closed: true
    }
  }

  private var refusal: HTTPClientError.Kind? {
    switch state {
    case .open: nil
    case .stopping: .clientShutDown
    case .closed(let reason): reason
    }
  }

  private mutating func wakeIfPolling() -> SubmitAction {
    defer { isPolling = false }
    return isPolling ? .wake : .none
  }
}
