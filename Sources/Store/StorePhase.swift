/// Which actions a store takes.
@usableFromInline
enum StorePhase: Int, Sendable, Comparable {
  /// All of them.
  case open
  /// Only those that come of what it took before.
  case closing
  /// None.
  case closed

  @inlinable
  static func < (first: StorePhase, second: StorePhase) -> Bool {
    first.rawValue < second.rawValue
  }

  @inlinable
  func admits(_ cause: DispatchIdentity.Cause, isAdmitted: Bool) -> Bool {
    switch self {
    case .open: true
    case .closing: isAdmitted || cause != .caller
    case .closed: false
    }
  }
}
