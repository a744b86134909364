/// The state of a store under test: which actions it reduced, in order.
struct Tally: Equatable, Sendable {
  private(set) var order: [Int] = []
  private var lastRed = Mark()
  private var lastGreen = Mark()
  private var lastBlue = Mark()

  mutating func add(_ step: Int, kind: Kind) {
    order.append(step)
    let mark = Mark(position: order.count, step: step)
    switch kind {
    case .red: lastRed = mark
    case .green: lastGreen = mark
    case .blue: lastBlue = mark
    case .unheard: break
    }
  }

  /// What an observer that selects this is told.
  func mark(_ selection: Selection) -> Mark {
    switch selection {
    case .whole: Mark(position: order.count, step: order.last ?? -1)
    case .last(.red): lastRed
    case .last(.green): lastGreen
    case .last(.blue): lastBlue
    case .half: Mark(position: order.count / 2)
    case .parity: Mark(position: order.count % 2)
    case .last(.unheard), .constant: Mark()
    }
  }
}
