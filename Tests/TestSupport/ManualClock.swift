/// A clock whose time passes only when a test says so.
///
/// ```swift
/// let clock = ManualClock()
/// async let closing: Void = store.shutdown(grace: .seconds(5), clock: clock)
/// await clock.waitForSleeps(1)
/// clock.advance(by: .seconds(5))
/// ```
public final class ManualClock: Clock {
  /// A time of the clock, from when it was made.
  public struct Instant: InstantProtocol {
    fileprivate var offset: Duration

    /// The time so much later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// How long it is until another time.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether a time comes before another.
    public static func < (first: Instant, second: Instant) -> Bool {
      first.offset < second.offset
    }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [(deadline: Instant, gate: Gate)] = []
  }

  private let state = TestLock(State())
  private let sleeps = Recorder<Instant>()

  /// Creates a clock that stands still.
  public init() {}

  /// The time that has passed by ``advance(by:)``.
  public var now: Instant { state.withLock { $0.now } }

  /// The smallest step: none.
  public var minimumResolution: Duration { .zero }

  /// Waits until the clock was advanced so far, or throws when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let gate = Gate()
    state.withLock { state in
      if deadline <= state.now { gate.open() } else { state.sleepers.append((deadline, gate)) }
    }
    sleeps.record(deadline)
    guard await gate.wait() else { throw CancellationError() }
  }

  /// Lets time pass, and wakes whoever slept until then.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      defer { state.sleepers.removeAll { $0.deadline <= now } }
      return state.sleepers.filter { $0.deadline <= now }
    }
    for sleeper in due { sleeper.gate.open() }
  }

  /// Waits until so many sleeps have begun, from when the clock was made.
  public func waitForSleeps(_ count: Int) async { await sleeps.waitForCount(count) }
}
