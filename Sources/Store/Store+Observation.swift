extension Store {
  /// Tells an observer each new value of a part of the state.
  ///
  /// ```swift
  /// let subscription = store.subscribe(\.posts.values) { posts in show(posts) }
  /// ```
  ///
  /// Observers are told in the order in which they subscribed, of every change and of none twice,
  /// in the order of the commits, on whichever thread is doing follow-up work. They may dispatch.
  ///
  /// The value last told is kept to compare with. If it is a collection, the next action that
  /// changes that collection has to copy it; select what you show of it, as its count or its first
  /// elements.
  ///
  /// - Parameters:
  ///   - selector: reads the part; called once in each commit while the store is locked, so it must
  ///     be pure. A key path that is written in the call is as fast as a closure; one that was
  ///     stored before is read several times slower. Values are compared with the one last told.
  ///   - initial: whether to tell the value that the part has now.
  ///   - receive: told each value.
  /// - Returns: a token that ends the subscription with its life.
  @inlinable
  public func subscribe<Value: Equatable & Sendable>(
    _ selector: @escaping @Sendable (State) -> Value, initial: Bool = true,
    _ receive: @escaping @Sendable (Value) -> Void
  ) -> StoreSubscription {
    guard BoxedValue<Value>.isNeeded else {
      return addObserver(of: selector, initial: initial, receive)
    }
    return addObserver(of: { BoxedValue(selector($0)) }, initial: initial) { receive($0.value) }
  }

  /// Tells an observer each value of a part of the state that differs, as you define it, from the
  /// one it was told last.
  ///
  /// ```swift
  /// store.subscribe({ ($0.first, $0.last) }, by: { $0 == $1 }) { first, last in … }
  /// ```
  ///
  /// - Parameters:
  ///   - selector: reads the part, as with ``subscribe(_:initial:_:)``.
  ///   - areEquivalent: whether the second value is no news after the first. Called while the store
  ///     is locked, so it must be pure. One that is always false tells the value after each action
  ///     that a reducer handled.
  ///   - initial: whether to tell the value that the part has now.
  ///   - receive: told each value.
  /// - Returns: a token that ends the subscription with its life.
  @inlinable
  public func subscribe<Value: Sendable>(
    _ selector: @escaping @Sendable (State) -> Value,
    by areEquivalent: @escaping @Sendable (Value, Value) -> Bool, initial: Bool = true,
    _ receive: @escaping @Sendable (Value) -> Void
  ) -> StoreSubscription {
    guard BoxedValue<Value>.isNeeded else {
      return addObserver(of: selector, by: areEquivalent, initial: initial, receive)
    }
    return addObserver(
      of: { BoxedValue(selector($0)) }, by: { areEquivalent($0.value, $1.value) }, initial: initial
    ) { receive($0.value) }
  }

  /// Tells an observer each change of a part of the state, with the value before and the action.
  ///
  /// ```swift
  /// store.subscribe(changesOf: \.posts.count) { change in
  ///   log("\(change.old, default: "-") → \(change.new) by \(change.action, default: "nobody")")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - selector: reads the part, as with ``subscribe(_:initial:_:)``.
  ///   - initial: whether to tell the value that the part has now, as a change without an action.
  ///   - receive: told each change.
  /// - Returns: a token that ends the subscription with its life.
  @inlinable
  public func subscribe<Value: Equatable & Sendable>(
    changesOf selector: @escaping @Sendable (State) -> Value, initial: Bool = true,
    _ receive: @escaping @Sendable (StateChange<Value>) -> Void
  ) -> StoreSubscription {
    guard BoxedValue<Value>.isNeeded else {
      return addObserver(ofChanges: selector, initial: initial, receive)
    }
    return addObserver(ofChanges: { BoxedValue(selector($0)) }, initial: initial) {
      receive(
        StateChange(
          old: $0.old?.value, new: $0.new.value, action: $0.action, identity: $0.identity))
    }
  }

  /// Tells an observer the whole state after each action that a reducer handled.
  ///
  /// Without `==` there is no telling whether it changed. While an observer keeps a state, the next
  /// action that changes a collection in it copies that collection; prefer to select a part.
  ///
  /// - Parameters:
  ///   - initial: whether to tell the state as it is now.
  ///   - receive: told each state, as with ``subscribe(_:initial:_:)``.
  /// - Returns: a token that ends the subscription with its life.
  @inlinable
  public func subscribe(
    initial: Bool = true, _ receive: @escaping @Sendable (State) -> Void
  ) -> StoreSubscription {
    // In a box, so that a large state does not go from one stack frame to the next.
    let unbox: @Sendable (BoxedValue<State>) -> Void = { receive($0.value) }
    return addObserver(initial: initial, unbox) { (state, _, _, _: inout Never?) in
      BoxedValue(state)
    }
  }
}
