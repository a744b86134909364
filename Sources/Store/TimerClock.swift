/// The clock of everything that sleeps here: its time is that of `ContinuousClock`, and it forgets
/// a sleep that is cancelled.
///
/// `Task.sleep`, and the clocks of the standard library with it, keep about 780 bytes of a cancelled
/// sleep until its deadline. Whoever starts a sleep with each action and cancels it with the next,
/// as a debounce, a time limit or a retry does, would fill the memory with sleeps that nobody waits
/// for. Here they are gone at once, wherever their deadlines are.
///
/// ```swift
/// try await TimerClock.timers.sleep(for: .seconds(3_600))
/// ```
public struct TimerClock: Clock {
  /// A time of this clock, which is one of `ContinuousClock` too.
  public typealias Instant = ContinuousClock.Instant

  let queue: TimerQueue

  /// Creates a clock; all of them are the same.
  public init() { queue = .shared }

  /// Creates a clock whose sleepers are in `queue`.
  package init(queue: TimerQueue) { self.queue = queue }

  /// The time now; it goes on while the machine sleeps.
  public var now: Instant { .now }

  /// The smallest step of the time.
  public var minimumResolution: Swift.Duration { ContinuousClock().minimumResolution }

  /// Suspends the task until a time, without blocking a thread of the tasks.
  ///
  /// A time that has come returns at once. Sleeps end in the order of their deadlines, and those
  /// with one deadline in the order in which they began. A sleep never ends early. When the machine
  /// itself sleeps meanwhile, it may end up to a minute late.
  ///
  /// - Parameters:
  ///   - deadline: when to go on.
  ///   - tolerance: not used; a sleep ends as soon after its deadline as the system lets it.
  /// - Throws: `CancellationError` if the task is or was cancelled; not if it is cancelled when the
  ///   deadline has come and the sleep has ended. An error that says so if the system has no thread
  ///   left to wait with.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    try await queue.makeSleep(until: deadline)?.run()
  }

  /// Suspends the task for a duration, without blocking a thread of the tasks.
  ///
  /// Like ``sleep(until:tolerance:)``. Nothing and less returns at once, and a duration so long that
  /// no time could be named for its end is for ever.
  ///
  /// - Parameters:
  ///   - duration: how long to sleep.
  ///   - tolerance: not used.
  /// - Throws: as ``sleep(until:tolerance:)`` does.
  public func sleep(for duration: Swift.Duration, tolerance: Swift.Duration? = nil) async throws {
    try await sleep(until: now.advanced(by: min(max(duration, .zero), Self.forEver)))
  }

  /// Thirty thousand years.
  private static var forEver: Swift.Duration { .seconds(1 << 40) }
}

extension Clock where Self == TimerClock {
  /// The clock that forgets the sleeps that are cancelled.
  public static var timers: TimerClock { TimerClock() }
}
