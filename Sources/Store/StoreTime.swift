/// The clock of a store, whatever the type of its instants.
@usableFromInline
package struct StoreTime: Sendable {
  /// The time since the store was made.
  package let now: @Sendable () -> Duration
  /// Sleeps until so long after the store was made; throws when the task is cancelled.
  package let sleep: @Sendable (_ until: Duration) async throws -> Void

  @usableFromInline
  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }
}
