/// Who waits for an action, or for a state: they are asked in each commit, and told in follow-up.
///
/// Each is told once. All who wait for an action are told of it.
@usableFromInline
struct ActionTakers<State: Sendable>: Sendable {
  @usableFromInline
  struct Taker: Sendable {
    let id: UInt64
    /// The only type of action it is asked about; nil for all.
    let type: (any Action.Type)?
    /// Whether this is what it waits for; called in the critical section, and pure.
    let matches: @Sendable (any Action, State) -> Bool
    let deliver: @Sendable (any Action) -> Void
  }

  @usableFromInline var takers: [Taker] = []

  @usableFromInline
  init() {}

  @inlinable var isEmpty: Bool { takers.isEmpty }

  /// Removes those who waited for this, and returns how to tell them.
  @usableFromInline
  mutating func take(_ action: any Action, _ state: State) -> [@Sendable () -> Void] {
    var deliveries: [@Sendable () -> Void] = []
    takers.removeAll { taker in
      guard taker.type.map({ $0 == type(of: action) }) ?? true, taker.matches(action, state) else {
        return false
      }
      deliveries.append { taker.deliver(action) }
      return true
    }
    return deliveries
  }
}
