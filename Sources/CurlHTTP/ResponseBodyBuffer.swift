/// Between the loop thread, which delivers a streamed body, and the task that reads it.
///
/// ``ResponseBodyStateMachine`` decides; nobody is resumed while the lock is held.
final class ResponseBodyBuffer: Sendable {
  private typealias Machine = ResponseBodyStateMachine

  private struct State {
    var machine = Machine()
    var reader: CheckedContinuation<Machine.TakeAction, Never>?
  }

  private let state = Lock(State())

  /// Delivers bytes, on the loop thread.
  ///
  /// - Parameters:
  ///   - bytes: What came.
  ///   - isPaused: Whether libcurl holds back more.
  /// - Returns: For how many bytes there is room now.
  func deliver(_ bytes: [UInt8], isPaused: Bool) -> Int {
    perform { $0.deliver(bytes, isPaused: isPaused) }
  }

  /// Says that nothing more comes: for this reason, or because it was all.
  func finish(_ failure: HTTPClientError?) { _ = perform { $0.finish(failure) } }

  /// Throws away what has come, and gives the reader this reason instead.
  func abandon(_ reason: HTTPClientError) { _ = perform { $0.abandon(reason) } }

  /// Takes what has come, without waiting for more.
  func take() -> ResponseBodyStateMachine.TakeAction { state.withLock { $0.machine.take() } }

  /// Takes what has come, as soon as there is anything; never answers ``TakeAction/wait``.
  func wait() async -> ResponseBodyStateMachine.TakeAction {
    await withCheckedContinuation { continuation in
      let action = state.withLock { state in
        let action = state.machine.wait()
        if action == .wait { state.reader = continuation }
        return action
      }
      if action != .wait { continuation.resume(returning: action) }
    }
  }

  /// The one door for what may resume the reader.
  private func perform(_ event: (inout Machine) -> Machine.Taken?) -> Int {
    let (room, taken, reader) = state.withLock { state in
      let taken = event(&state.machine)
      defer { if taken != nil { state.reader = nil } }
      return (state.machine.room, taken, state.reader)
    }
    if let taken { reader?.resume(returning: .give(taken)) }
    return room
  }
}
