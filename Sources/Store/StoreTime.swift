/// The clock of a store, whatever the type of its instants.
///
/// What lies between an effect and its timer takes memory for as long as the effect sleeps
/// (`effect.bytes`): so this is an object, which is passed on in one word, and knows the clock that
/// most stores have.
@usableFromInline
package final class StoreTime: Sendable {
  /// The time since the store was made.
  package let now: @Sendable () -> Duration
  private let sleeping: Sleeping

  private enum Sleeping: Sendable {
    /// In a queue of timers; nil if the time has come.
    case timer(@Sendable (_ until: Duration) throws -> TimerQueue.Sleep?)
    case clock(@Sendable (_ until: Duration) async throws -> Void)
  }

  @usableFromInline
  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    if let clock = clock as? TimerClock, let start = start as? TimerClock.Instant {
      now = { start.duration(to: .now) }
      sleeping = .timer { try clock.queue.makeSleep(until: start.advanced(by: $0)) }
    } else {
      now = { start.duration(to: clock.now) }
      sleeping = .clock { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
  }

  /// Sleeps until so long after the store was made; throws when the task is cancelled.
  package func sleep(_ until: Duration) async throws {
    switch sleeping {
    case .timer(let makeSleep): try await makeSleep(until)?.run()
    case .clock(let sleep): try await sleep(until)
    }
  }
}
