extension StoreReference {
  /// Waits in the store for the next action of `type` that matches, until ``stopTaking(id:)``.
  ///
  /// - Parameters:
  ///   - id: a number that nobody else waits by.
  ///   - type: the type of the action; nil for any.
  ///   - matches: whether this is the one, given the state it made. Called in the critical section of
  ///     its commit, and pure.
  ///   - isThereAlready: whether the state is such already that there is nothing to wait for. Called
  ///     in the critical section, and pure.
  ///   - deliver: called once, in follow-up, after the observers of the action were told.
  /// - Returns: whether it waits; false if there is nothing to wait for, or the store is gone.
  package func take(
    id: UInt64, _ type: (any Action.Type)?,
    where matches: @escaping @Sendable (any Action, State) -> Bool,
    unless isThereAlready: @Sendable (State) -> Bool = { _ in false },
    deliver: @escaping @Sendable (any Action) -> Void
  ) -> Bool {
    guard let store else { return false }
    return store.machine.withLock { machine in
      store.withReducingMark {
        guard !isThereAlready(machine.state) else { return false }
        machine.takers.insert(
          ActionTakers.Taker(id: id, type: type, matches: matches, deliver: deliver))
        return true
      }
    }
  }

  /// Watches what each commit makes of the state, for as long as the store lives.
  ///
  /// - Parameter watch: called in the critical section of each commit that a reducer handled, and
  ///   pure; returns what to do in follow-up.
  package func watch(_ watch: @escaping @Sendable (State) -> [@Sendable () -> Void]) {
    store?.machine.withLock { $0.watches.append(watch) }
  }
}
