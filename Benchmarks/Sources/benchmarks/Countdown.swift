import Synchronization

/// Waits, once, until something has happened a number of times.
final class Countdown: Sendable {
  private struct State {
    var remaining: Int
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state: Mutex<State>

  init(_ count: Int) {
    state = Mutex(State(remaining: count))
  }

  /// Counts one.
  func arrive() {
    let waiter = state.withLock { state in
      state.remaining -= 1
      return state.remaining == 0 ? state.waiter : nil
    }
    waiter?.resume()
  }

  /// Returns when all have arrived; one task may wait.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        state.waiter = continuation
        return state.remaining <= 0
      }
      if isOver {
        continuation.resume()
      }
    }
  }
}
