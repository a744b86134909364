extension FakeDataService {
  /// One held call: says when it has come, and lets it go.
  ///
  /// ```swift
  /// let hold = service.hold(.fetchPosts)
  /// let task = Task { try await service.fetchPosts() }
  /// await hold.reached()    // the call was made and waits
  /// hold.release()          // now it is answered
  /// ```
  ///
  /// A call whose task is cancelled leaves the hold by itself.
  public final class Hold: Sendable {
    private let arrival = Latch()
    private let departure = Latch()

    init() {}

    /// Waits until the call has come, or the waiting task is cancelled.
    public func reached() async { await arrival.wait() }

    /// Whether the call has come.
    public var isReached: Bool { arrival.isOpen }

    /// Lets the call go, also when it has not come yet.
    ///
    /// A second release does nothing.
    public func release() { departure.open() }

    func waitInCall() async {
      arrival.open()
      await departure.wait()
    }
  }

  /// A door that opens once.
  private final class Latch: Sendable {
    private enum State {
      case closed(waiting: [UInt64: CheckedContinuation<Void, Never>], next: UInt64)
      case open
    }

    private let state = Lock(State.closed(waiting: [:], next: 0))

    var isOpen: Bool {
      state.withLock { state in
        switch state {
        case .closed: false
        case .open: true
        }
      }
    }

    func open() {
      let waiting = state.withLock { state in
        guard case .closed(let waiting, _) = state else {
          return [:] as [UInt64: CheckedContinuation<Void, Never>]
        }
        state = .open
        return waiting
      }
      for continuation in waiting.values { continuation.resume() }
    }

    /// Waits until the door is open or the task is cancelled.
    func wait() async {
      // The identity is taken first, so that a cancellation that comes before the continuation
      // exists is seen: the continuation is then not kept, because the task is cancelled by then.
      guard let id = reserve() else { return }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          if !keep(continuation, id) { continuation.resume() }
        }
      } onCancel: {
        take(id)?.resume()
      }
    }

    private func reserve() -> UInt64? {
      state.withLock { state in
        guard case .closed(let waiting, let next) = state else { return nil }
        state = .closed(waiting: waiting, next: next + 1)
        return next
      }
    }

    private func keep(_ continuation: CheckedContinuation<Void, Never>, _ id: UInt64) -> Bool {
      state.withLock { state in
        // Under the lock, so that a cancellation is either seen here or finds the continuation.
        guard case .closed(var waiting, let next) = state, !Task.isCancelled else { return false }
        waiting[id] = continuation
        state = .closed(waiting: waiting, next: next)
        return true
      }
    }

    private func take(_ id: UInt64) -> CheckedContinuation<Void, Never>? {
      state.withLock { state in
        guard case .closed(var waiting, let next) = state else { return nil }
        let continuation = waiting.removeValue(forKey: id)
        state = .closed(waiting: waiting, next: next)
        return continuation
      }
    }
  }
}
