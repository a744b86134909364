import Dispatch

/// A gate for threads, which opens once and then stays open.
///
/// It blocks the thread that waits, so use it on threads of `runOnThread` and not in tasks; those
/// have ``Gate``.
public final class ThreadGate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Creates a closed gate.
  public init() {}

  /// Opens the gate.
  public func open() { semaphore.signal() }

  /// Blocks the thread until the gate is open, at most for two minutes.
  ///
  /// - Returns: False if the gate was still closed then, so that a test fails instead of hanging.
  @discardableResult
  public func wait() -> Bool {
    guard semaphore.wait(timeout: .now() + 120) == .success else { return false }
    semaphore.signal()
    return true
  }
}
