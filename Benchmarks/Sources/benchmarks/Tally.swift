import Synchronization

/// A count that any thread may add to, at a cost that does not show in what is measured.
final class Tally: Sendable {
  private let value = Atomic<Int>(0)

  var count: Int {
    value.load(ordering: .relaxed)
  }

  /// Adds one and returns the count after that.
  @discardableResult
  func add() -> Int {
    value.add(1, ordering: .relaxed).newValue
  }
}
