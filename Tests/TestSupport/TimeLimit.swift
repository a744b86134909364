import Dispatch

/// Does something once after a time, unless it is cancelled before.
final class TimeLimit: Sendable {
  private let work: TestLock<(@Sendable () -> Void)?>

  init(_ work: @escaping @Sendable () -> Void) { self.work = TestLock(work) }

  /// Starts the countdown, which keeps this object alive to its end.
  func start(_ limit: Duration) {
    let (seconds, attoseconds) = limit.components
    let deadline = DispatchTime.now() + Double(seconds) + Double(attoseconds) / 1e18
    DispatchQueue.global().asyncAfter(deadline: deadline) { self.fire() }
  }

  func cancel() { work.withLock { $0 = nil } }

  private func fire() {
    let work = work.withLock { work in
      defer { work = nil }
      return work
    }
    work?()
  }
}
