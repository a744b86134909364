/// One call on its way through a ``LocalDatabase``'s queue.
///
/// The task that waits, the queue and whoever cancels may all meet here, in any order; the waiting
/// task is resumed once.
final class LocalDatabaseCall<Value: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Result<Value, DataServiceError>, Never>

  private enum State {
    /// Nobody waits yet. To ``waiting``, ``cancelled``.
    case new
    /// In the queue. To ``running``, ``cancelled``.
    case waiting(Continuation)
    /// At work. To ``finished``.
    case running(Continuation)
    /// The task was or will be told; the work must not begin.
    case cancelled
    /// The task has its result.
    case finished
  }

  private let state = Lock(State.new)
  private let busyWait = BusyWait()

  /// Takes the waiting task, or sends it on at once when the call was cancelled before.
  func wait(with continuation: Continuation) {
    let isWanted = state.withLock { state in
      guard case .new = state else { return false }
      state = .waiting(continuation)
      return true
    }
    if !isWanted { continuation.resume(returning: .failure(.cancelled)) }
  }

  /// Does the work on the calling thread, unless it is no longer wanted.
  func run(_ work: (BusyWait) -> Result<Value, DataServiceError>) {
    let isWanted = state.withLock { state in
      guard case .waiting(let continuation) = state else { return false }
      state = .running(continuation)
      return true
    }
    guard isWanted else { return }
    let result = work(busyWait)
    let continuation = state.withLock { state in
      guard case .running(let continuation) = state else { return nil as Continuation? }
      state = .finished
      return continuation
    }
    continuation?.resume(returning: result)
  }

  /// Sends the waiting task on, or, when the work has begun, ends its waits.
  func cancel() {
    let continuation = state.withLock { state in
      switch state {
      case .new:
        state = .cancelled
        return nil as Continuation?
      case .waiting(let continuation):
        state = .cancelled
        return continuation
      case .running, .cancelled, .finished:
        return nil
      }
    }
    busyWait.cancel()
    continuation?.resume(returning: .failure(.cancelled))
  }
}
