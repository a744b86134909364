/// Elements that stay where they are while others come and go, each of them known by a number.
///
/// A place that became free is used again, so there are never many more places than there were
/// elements at the same time.
struct Slots<Element> {
  private var entries: [(number: UInt64, element: Element)?] = []
  private var free: [Int] = []

  /// How many elements there are.
  var count: Int { entries.count - free.count }

  var isEmpty: Bool { count == 0 }

  /// The elements with their numbers, in no particular order.
  var all: some Sequence<(number: UInt64, element: Element)> { entries.lazy.compactMap { $0 } }

  /// The elements with their places and numbers, as they are now.
  var places: [(place: Int, entry: (number: UInt64, element: Element))] {
    entries.indices.compactMap { place in entries[place].map { (place, $0) } }
  }

  /// Takes in an element and returns its place.
  mutating func insert(_ element: Element, number: UInt64) -> Int {
    if let place = free.popLast() {
      entries[place] = (number, element)
      return place
    }
    entries.append((number, element))
    return entries.count - 1
  }

  /// Removes the element of this number, if it is still at its place.
  mutating func remove(number: UInt64, at place: Int) -> Element? {
    guard place < entries.count, let entry = entries[place], entry.number == number else {
      return nil
    }
    if place == entries.count - 1 {
      entries.removeLast()
    } else {
      entries[place] = nil
      free.append(place)
    }
    if isEmpty, !entries.isEmpty || entries.capacity > 64 { removePlaces() }
    return entry.element
  }

  /// Removes all elements and returns them with their numbers.
  mutating func removeAll() -> [(number: UInt64, element: Element)] {
    defer { removePlaces() }
    return Array(all)
  }

  /// Forgets the places; the memory of a few is kept for the next elements.
  private mutating func removePlaces() {
    entries.removeAll(keepingCapacity: entries.capacity <= 64)
    free.removeAll(keepingCapacity: free.capacity <= 64)
  }
}
