/// Runs in the order in which they arrived; to take the oldest out takes constant time.
struct WaitingRuns<Run> {
  typealias Entry = (number: UInt64, run: Run)

  /// Those before `next` were taken out.
  private var entries: [Entry?] = []
  private var next = 0

  var count: Int { entries.count - next }
  var isEmpty: Bool { count == 0 }

  /// The oldest first.
  var all: some Sequence<Entry> { entries[next...].lazy.compactMap(\.self) }

  mutating func append(_ run: Run, number: UInt64) { entries.append((number, run)) }

  /// Takes the oldest out; nil if there is none.
  mutating func popFirst() -> Entry? {
    guard !isEmpty else { return nil }
    defer {
      entries[next] = nil
      next += 1
      // The room of those that were taken is used again, also if some always wait.
      if next > 32, next > entries.count / 2 {
        entries.removeFirst(next)
        next = 0
      }
    }
    return entries[next]
  }

  /// Takes all out.
  mutating func removeAll() -> [Entry] {
    defer { self = WaitingRuns() }
    return Array(all)
  }

  /// Takes those out of which `predicate` is true.
  mutating func removeAll(where predicate: (Run) -> Bool) -> [Entry] {
    guard !isEmpty else { return [] }
    var (removed, kept): ([Entry], [Entry?]) = ([], [])
    for entry in removeAll() {
      if predicate(entry.run) { removed.append(entry) } else { kept.append(entry) }
    }
    entries = kept
    return removed
  }
}

extension WaitingRuns: Sendable where Run: Sendable {}
