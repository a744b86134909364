/// A gate that opens once and then stays open.
///
/// Tests use it to hold a task at a known point, and to learn that another has reached one, where
/// a sleep would only guess. Any thread may open it; any number of tasks may wait.
///
/// ```swift
/// let arrived = Gate()
/// Task { arrived.open() }
/// await arrived.wait()
/// ```
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var nextID: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    /// Waits that were cancelled before their continuation existed.
    var cancelledEarly: Set<UInt64> = []
  }

  private let state = TestLock(State())

  /// Creates a closed gate.
  public init() {}

  /// Whether the gate has been opened.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Opens the gate and lets every waiter through.
  ///
  /// Opening an open gate does nothing.
  public func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [:] }
      return state.waiters.values.map { $0 }
    }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  /// Waits until the gate is open or the task is cancelled.
  ///
  /// Cancellation ends the wait, so a test that runs into its time limit ends as well.
  ///
  /// - Returns: True when the gate is open, false when the task was cancelled first.
  @discardableResult
  public func wait() async -> Bool {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let answer = register(continuation, id: id) { continuation.resume(returning: answer) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Keeps the continuation, or returns the answer that is known already.
  private func register(_ continuation: CheckedContinuation<Bool, Never>, id: UInt64) -> Bool? {
    state.withLock { state in
      if state.isOpen { return true }
      if state.cancelledEarly.remove(id) != nil { return false }
      state.waiters[id] = continuation
      return nil
    }
  }

  private func cancel(_ id: UInt64) {
    let waiter = state.withLock { state in
      if state.isOpen { return nil as CheckedContinuation<Bool, Never>? }
      if let waiter = state.waiters.removeValue(forKey: id) { return waiter }
      state.cancelledEarly.insert(id)
      return nil
    }
    waiter?.resume(returning: false)
  }
}
