import Foundation
import Synchronization
import TestSupport

/// What happened in a run, in the order in which it happened.
///
/// Recording must not put the threads of a run in order, or the thread sanitizer would find nothing
/// wrong with a store that does not: the clock is relaxed, and two events meet in one lane only if
/// they have the same subject.
final class EventLog: Sendable {
  struct Entry: Sendable {
    let time: Int
    let thread: ObjectIdentifier
    let event: Event
  }

  private final class Lane: Sendable {
    let entries = TestLock<[Entry]>([])
  }

  private let clock = Atomic<Int>(0)
  private let lanes = (0..<64).map { _ in Lane() }

  func record(_ event: Event, lane: Int) {
    let time = clock.add(1, ordering: .relaxed).newValue
    let entry = Entry(time: time, thread: ObjectIdentifier(Thread.current), event: event)
    lanes[lane % lanes.count].entries.withLock { $0.append(entry) }
  }

  var entries: [Entry] {
    lanes.flatMap { lane in lane.entries.withLock { $0 } }.sorted { $0.time < $1.time }
  }
}
