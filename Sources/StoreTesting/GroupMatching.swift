/// Which expectation of a group stands for which of the things that came: a pure value.
///
/// One that came may fit several expectations, so each new one may make those before it change
/// places: the augmenting paths of bipartite matching (Kuhn, 1955). Nothing is refused that fits in
/// any order.
struct GroupMatching {
  /// For each expectation, the place of what it stands for among all that came.
  private(set) var assigned: [Int?]
  /// For each that came, the expectations that it fits.
  private var fits: [[Int]] = []

  init(expectationCount: Int) { assigned = Array(repeating: nil, count: expectationCount) }

  /// The expectations that stand for nothing yet.
  var open: [Int] { assigned.indices.filter { assigned[$0] == nil } }

  /// Takes the next that came, which fits these expectations; answers false, and leaves everything
  /// as it was, if there is no place for it.
  mutating func add(fitting expectations: [Int]) -> Bool {
    fits.append(expectations)
    var visited: Set<Int> = []
    if place(fits.count - 1, &visited) { return true }
    fits.removeLast()
    return false
  }

  private mutating func place(_ newcomer: Int, _ visited: inout Set<Int>) -> Bool {
    for expectation in fits[newcomer] where visited.insert(expectation).inserted {
      guard let old = assigned[expectation], !place(old, &visited) else {
        assigned[expectation] = newcomer
        return true
      }
    }
    return false
  }
}
