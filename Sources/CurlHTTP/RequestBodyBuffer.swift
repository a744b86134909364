/// Between the task that reads the source of a streamed request body and the loop thread, which
/// sends it.
///
/// ``RequestBodyStateMachine`` decides; nobody is resumed while the lock is held. The task belongs
/// to this buffer, which cancels it when the transfer is over.
final class RequestBodyBuffer: Sendable {
  private struct State {
    var machine: RequestBodyStateMachine
    /// Resumed when there is room, or nothing more is wanted.
    var source: CheckedContinuation<Void, Never>?
    var task: Task<Void, Never>?
    var isClosed = false
  }

  /// How many bytes were announced; nil for an unknown number.
  let length: Int?
  private let state: Lock<State>

  init(length: Int?) {
    self.length = length
    state = Lock(State(machine: RequestBodyStateMachine(length: length)))
  }

  /// Starts to read a source, until its end or that of the transfer.
  ///
  /// - Parameters:
  ///   - source: What the body is made of.
  ///   - tell: Gives the loop thread a command.
  func read<Source: AsyncSequence & Sendable>(
    _ source: Source, tell: @escaping @Sendable (Event) -> Void
  ) where Source.Element == [UInt8] {
    // Not a child task: it has to go on after the caller has the head of a streamed response. The
    // buffer owns it, and cancels it when the transfer is over.
    let task = Task {
      do {
        for try await piece in source {
          guard await self.perform(tell, { $0.give(piece) }) else { return }
        }
        _ = await self.perform(tell) { $0.finish() }
      } catch {
        _ = await self.perform(tell) { $0.fail(.thrown(error)) }
      }
    }
    let isClosed = state.withLock { state in
      if !state.isClosed { state.task = task }
      return state.isClosed
    }
    if isClosed { task.cancel() }
  }

  /// What the loop thread must be told.
  enum Event: Sendable {
    /// There are bytes, or the end, for a transfer that waits for them.
    case hasMore
    /// The body cannot be sent.
    case failed(RequestBodyStateMachine.Failure)
  }

  /// The next bytes, on the loop thread.
  func take(limit: Int) -> UploadStep {
    let (step, source) = state.withLock { state in
      let (step, resumesSource) = state.machine.take(limit: limit)
      defer { if resumesSource { state.source = nil } }
      return (step, resumesSource ? state.source : nil)
    }
    source?.resume()
    return step
  }

  /// Whether the transfer waits for the source.
  var isPaused: Bool { state.withLock { $0.machine.isPaused } }

  /// Ends the reading of the source: the transfer is over.
  ///
  /// Ending it twice is ending it once.
  ///
  /// - Returns: Whether it was not ended before.
  @discardableResult
  func close() -> Bool {
    let (wasOpen, source, task) = state.withLock { state in
      let wasOpen = !state.isClosed
      state.machine.close()
      state.isClosed = true
      defer {
        state.source = nil
        state.task = nil
      }
      return (wasOpen, state.source, state.task)
    }
    source?.resume()
    task?.cancel()
    return wasOpen
  }

  /// The one door for what the source says.
  ///
  /// - Returns: Whether the source is to be asked for more.
  private func perform(
    _ tell: (Event) -> Void,
    _ event: (inout RequestBodyStateMachine) -> RequestBodyStateMachine.SourceAction
  ) async -> Bool {
    switch state.withLock({ event(&$0.machine) }) {
    case .goOn(let resumesTransfer):
      if resumesTransfer { tell(.hasMore) }
      return true
    case .waitForRoom(let resumesTransfer):
      if resumesTransfer { tell(.hasMore) }
      await waitForRoom()
      return true
    case .fail(let failure):
      tell(.failed(failure))
      return false
    case .stop:
      return false
    }
  }

  private func waitForRoom() async {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        let waits = state.machine.waitForRoom()
        if waits { state.source = continuation }
        return waits
      }
      if !waits { continuation.resume() }
    }
  }
}
