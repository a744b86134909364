/// What the transfers of one loop share while it goes round.
final class LoopTurn {
  /// The time, read once a turn.
  private(set) var now = ContinuousClock.now
  /// Transfers to which something came that is not handed on yet.
  var touched: [Transfer] = []

  func updateTime() { now = .now }

  /// Lets go of the transfers, which hold this.
  func forgetTouched() { touched = [] }

  /// The next transfer to which something came, or nil when there is none.
  func nextTouched() -> Transfer? { touched.popLast() }
}
