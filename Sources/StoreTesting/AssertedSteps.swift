/// Which steps a test has asserted, by their place among all: a pure value.
///
/// Steps are received in order. What a test sends itself is asserted at once, and so ahead of those
/// steps that were recorded before it and are still to be received.
struct AssertedSteps {
  /// The first step that was not asserted.
  private(set) var next = 0
  /// The asserted steps after that one.
  private var ahead: Set<Int> = []

  func contains(_ index: Int) -> Bool { index < next || ahead.contains(index) }

  mutating func insert(_ index: Int) {
    guard !contains(index) else { return }
    ahead.insert(index)
    while ahead.remove(next) != nil { next += 1 }
  }
}
