/// Timers in order of their deadlines, each of which can be taken out by its identity: a pure
/// value.
///
/// A binary heap, with a table that says where in it each timer is. Inserting and removing take
/// logarithmic time. What was removed is forgotten: nothing keeps it until its deadline, and the
/// storage shrinks with the number of timers.
package struct TimerHeap<Deadline: Comparable & SendableMetatype, Value> {
  /// One timer.
  package struct Entry {
    /// Larger than that of every timer that was made before.
    package let id: UInt64
    package let deadline: Deadline
    package let value: Value

    /// Of two timers with one deadline, that comes first which was made first.
    fileprivate static func < (first: Entry, second: Entry) -> Bool {
      first.deadline == second.deadline
        ? first.id < second.id : first.deadline < second.deadline
    }
  }

  /// No entry comes before the one at half its place: entry `i` has the children `2i + 1`, `2i + 2`.
  private var entries: [Entry] = []
  /// The place of each entry.
  private var places: [UInt64: Int] = [:]

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }
  package var count: Int { entries.count }
  /// The timer that is due first.
  package var first: Entry? { entries.first }
  /// How many timers there is room for without asking for memory.
  package var capacity: Int { entries.capacity }

  /// All timers, in the order in which they are due.
  package var sorted: [Entry] { entries.sorted { $0 < $1 } }
}

extension TimerHeap: Sendable where Deadline: Sendable, Value: Sendable {}
extension TimerHeap.Entry: Sendable where Deadline: Sendable, Value: Sendable {}

extension TimerHeap {
  /// Adds a timer, whose `id` is unlike that of every timer in the heap.
  package mutating func insert(_ value: Value, id: UInt64, deadline: Deadline) {
    precondition(places[id] == nil, "timer \(id) is in the heap already")
    entries.append(Entry(id: id, deadline: deadline, value: value))
    places[id] = entries.count - 1
    siftUp(from: entries.count - 1)
  }

  /// Takes a timer out; returns nil if it is not there.
  package mutating func remove(id: UInt64) -> Value? {
    guard let place = places.removeValue(forKey: id) else { return nil }
    let removed = entries[place]
    let last = entries.removeLast()
    if place < entries.count {
      entries[place] = last
      places[last.id] = place
      // What stood at the end may belong above or below the gap, on another branch.
      siftUp(from: place)
      siftDown(from: place)
    }
    shrinkIfLarge()
    return removed.value
  }

  /// Takes the first timer out if its deadline has come by `now`.
  package mutating func removeFirst(dueBy now: Deadline) -> Entry? {
    guard let first = entries.first, first.deadline <= now else { return nil }
    _ = remove(id: first.id)
    return first
  }

  /// Takes all timers out, and returns them in the order in which they would have been due.
  package mutating func removeAll() -> [Entry] {
    defer { self = TimerHeap() }
    return sorted
  }
}

extension TimerHeap {
  private mutating func siftUp(from start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child] < entries[parent] else { return }
      exchange(child, parent)
      child = parent
    }
  }

  private mutating func siftDown(from start: Int) {
    var parent = start
    while true {
      let left = 2 * parent + 1
      guard left < entries.count else { return }
      let right = left + 1
      let child = right < entries.count && entries[right] < entries[left] ? right : left
      guard entries[child] < entries[parent] else { return }
      exchange(child, parent)
      parent = child
    }
  }

  private mutating func exchange(_ first: Int, _ second: Int) {
    entries.swapAt(first, second)
    places[entries[first].id] = first
    places[entries[second].id] = second
  }

  /// Gives memory back once three quarters of it are unused, so rarely that it costs a removal
  /// constant time on average.
  private mutating func shrinkIfLarge() {
    guard entries.capacity > 64, entries.count < entries.capacity / 4 else { return }
    var kept: [Entry] = []
    kept.reserveCapacity(entries.count * 2)
    kept += entries
    entries = kept
    places = Dictionary(minimumCapacity: kept.count * 2)
    for (place, entry) in kept.enumerated() { places[entry.id] = place }
  }
}
