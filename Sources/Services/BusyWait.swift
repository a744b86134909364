internal import Dispatch
internal import Synchronization

/// The wait for a database that another connection has locked.
///
/// A lock on a file wakes nobody when it is released, so SQLite has to look again: soon at first,
/// then less often, as its own busy timeout does. Unlike SQLite's, this wait ends when it is
/// cancelled, from any thread and at once.
final class BusyWait: Sendable {
  private static let firstDelays = [1, 2, 5, 10, 15, 20, 25, 25, 25]
  private static let laterDelay = 50

  private let cancelled = Atomic(false)
  private let wakeup = DispatchSemaphore(value: 0)

  /// Whether the work that waits is no longer wanted.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Ends the wait, now and in future.
  func cancel() {
    cancelled.store(true, ordering: .releasing)
    wakeup.signal()
  }

  /// Blocks the thread until it is time to look again.
  ///
  /// - Parameters:
  ///   - retry: How often it was looked again before, from 0.
  ///   - limit: How many milliseconds to wait in all.
  /// - Returns: Whether to look again: false when the time is up or the wait was cancelled.
  func wait(beforeRetry retry: Int, limit: Int) -> Bool {
    guard !isCancelled, let delay = Self.delay(beforeRetry: retry, limit: limit) else {
      return false
    }
    return wakeup.wait(timeout: .now() + .milliseconds(delay)) == .timedOut && !isCancelled
  }

  /// Returns how many milliseconds to wait before looking again, or nil when the time is up.
  static func delay(beforeRetry retry: Int, limit: Int) -> Int? {
    let past = min(retry, firstDelays.count)
    let waited = firstDelays[..<past].reduce(0, +) + (retry - past) * laterDelay
    guard waited < limit else { return nil }
    let delay = retry < firstDelays.count ? firstDelays[retry] : laterDelay
    return min(delay, limit - waited)
  }
}
