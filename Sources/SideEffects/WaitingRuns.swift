/// Runs in the order in which they arrived; to take the oldest out takes constant time.
struct WaitingRuns<Run> {
  typealias Entry = (number: UInt64, element: Run)

  /// Those before `next` were taken out.
  private var entries: [Entry?] = []
  private var next = 0

  var count: Int { entries.count - next }
  var isEmpty: Bool { count == 0 }

  /// The oldest first.
  ///
  /// Not by a key path: of a generic type it is made anew each time (`debounce.churn`).
  var all: some Sequence<Entry> { entries[next...].lazy.compactMap { $0 } }

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

  /// Puts one in the place of all, and takes those out.
  mutating func replaceAll(by run: Run, number: UInt64) -> [Run] {
    // Of actions that come one after the other, each most often replaces one.
    if entries.count == 1, let waiting = entries[0] {
      entries[0] = (number, run)
      return [waiting.element]
    }
    let replaced = removeAll()
    append(run, number: number)
    return replaced.map { $0.element }
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
      if predicate(entry.element) { removed.append(entry) } else { kept.append(entry) }
    }
    entries = kept
    return removed
  }
}

extension WaitingRuns: Sendable where Run: Sendable {}
