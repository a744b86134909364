extension Store {
  /// Returns the values of a part of the state, for a task that wants to await them.
  ///
  /// The first value is the present one when the iteration begins. Then comes each change, in the
  /// order of the commits, and none twice, as ``subscribe(_:initial:_:)`` tells them; after the
  /// last one of a store that has gone comes the end.
  ///
  /// ```swift
  /// for await posts in store.values(of: \.posts.values) {
  ///   await index.update(posts)
  /// }
  /// ```
  ///
  /// Nobody waits for the iterating task: dispatching goes on while it is busy. By default it then
  /// finds the newest value only, so it may miss values but never lags behind.
  ///
  /// - Parameters:
  ///   - selector: reads the part; called once in each commit while the store is locked, so it must
  ///     be pure.
  ///   - policy: which values are kept for an iterating task that is busy: the newest, the oldest,
  ///     or all, for which nothing bounds the memory.
  /// - Returns: a sequence that does not keep the store alive.
  public func values<Value: Equatable & Sendable>(
    of selector: @escaping @Sendable (State) -> Value,
    buffering policy: StoreValues<Value>.BufferingPolicy = .bufferingNewest(1)
  ) -> StoreValues<Value> {
    StoreValues(buffering: policy) { [weak self] receive in self?.subscribe(selector, receive) }
  }

  /// Returns a mirror of a part of the state for the main actor, which has its first value at once.
  ///
  /// - Parameter selector: reads the part; called once in each commit while the store is locked, so
  ///   it must be pure.
  /// - Returns: an observable object, which mirrors for as long as somebody holds it.
  @MainActor
  public func observed<Value: Equatable & Sendable>(
    _ selector: @escaping @Sendable (State) -> Value
  ) -> ObservedValue<Value> {
    // There is no value for a reducer that asks; `state` then stops the program, with a message. At
    // any other time it would copy the whole state for the sake of a part.
    ObservedValue(read(selector) ?? selector(state), changes: values(of: selector))
  }
}
