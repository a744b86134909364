import TestSupport

/// A clock on which the same time passes between each two questions for it.
struct SteppingClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  let step: Duration
  private let asked = Box(0)

  init(step: Duration) { self.step = step }

  var now: Instant { Instant(offset: step * (asked.exchange(asked.value + 1) + 1)) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
