extension Store {
  /// Tells an object, which is held weakly, each new value of a part of the state.
  ///
  /// ```swift
  /// store.subscribe(label, \.posts.count) { label, count in label.show(count) }
  /// ```
  ///
  /// It is told on whichever thread follows up; one that belongs to the main actor says
  /// `Task { @MainActor in … }`, or mirrors the part with ``observed(_:)``.
  ///
  /// The subscription ends with the object's life, or with ``unsubscribe(_:)``; what it captured is
  /// released when next there is something to tell it, or when many other objects have subscribed.
  /// An object may have any number of them. In all else it is like ``subscribe(_:initial:_:)``.
  ///
  /// - Parameters:
  ///   - object: who is told.
  ///   - selector: reads the part; it must be pure, and must not hold the object.
  ///   - initial: whether to tell the value that the part has now.
  ///   - receive: told the object and each value.
  public func subscribe<Object: AnyObject & Sendable, Value: Equatable & Sendable>(
    _ object: Object, _ selector: @escaping @Sendable (State) -> Value, initial: Bool = true,
    _ receive: @escaping @Sendable (Object, Value) -> Void
  ) {
    keep(for: object, receive) { subscribe(selector, initial: initial, $0) }
  }

  /// Tells an object, which is held weakly, each value of a part of the state that differs, as you
  /// define it, from the one it was told last.
  ///
  /// - Parameters:
  ///   - object: who is told.
  ///   - selector: reads the part; it must be pure, and must not hold the object.
  ///   - areEquivalent: whether the second value is no news after the first, as with
  ///     ``subscribe(_:by:initial:_:)``.
  ///   - initial: whether to tell the value that the part has now.
  ///   - receive: told the object and each value.
  public func subscribe<Object: AnyObject & Sendable, Value: Sendable>(
    _ object: Object, _ selector: @escaping @Sendable (State) -> Value,
    by areEquivalent: @escaping @Sendable (Value, Value) -> Bool, initial: Bool = true,
    _ receive: @escaping @Sendable (Object, Value) -> Void
  ) {
    keep(for: object, receive) { subscribe(selector, by: areEquivalent, initial: initial, $0) }
  }

  /// Tells an object, which is held weakly, each change of a part of the state, with the value
  /// before and the action.
  ///
  /// - Parameters:
  ///   - object: who is told.
  ///   - selector: reads the part; it must be pure, and must not hold the object.
  ///   - initial: whether to tell the value that the part has now, as a change without an action.
  ///   - receive: told the object and each change.
  public func subscribe<Object: AnyObject & Sendable, Value: Equatable & Sendable>(
    _ object: Object, changesOf selector: @escaping @Sendable (State) -> Value,
    initial: Bool = true, _ receive: @escaping @Sendable (Object, StateChange<Value>) -> Void
  ) {
    keep(for: object, receive) { subscribe(changesOf: selector, initial: initial, $0) }
  }

  /// Ends all subscriptions of an object; none is no error.
  ///
  /// On the thread that is telling observers none of its calls begins after this one returned, as
  /// with ``StoreSubscription/cancel()``.
  public func unsubscribe(_ object: some AnyObject & Sendable) {
    guard !isCalledDuringReduction("unsubscribe") else { return }
    let id = ObjectIdentifier(object)
    objects.withLock { $0.remove(id) }?.end()
  }

  private func keep<Object: AnyObject & Sendable, News>(
    for object: Object, _ receive: @escaping @Sendable (Object, News) -> Void,
    subscribe: (@escaping @Sendable (News) -> Void) -> StoreSubscription
  ) {
    guard !isCalledDuringReduction("subscribe") else { return }
    let (subscriptions, orphan, toSweep) = objects.withLock {
      let (own, orphan) = $0.subscriptions(of: object)
      return (own, orphan, $0.toSweep)
    }
    orphan?.end()
    let token = subscribe { [weak object, weak self] news in
      guard !subscriptions.isEnded else { return }
      if let object { receive(object, news) } else { self?.forget([subscriptions]) }
    }
    subscriptions.keep(token)
    if !toSweep.isEmpty { forget(toSweep.filter(\.isOrphaned)) }
  }

  private func forget(_ orphans: [ObjectSubscriptions]) {
    objects.withLock { $0.remove(orphans) }
    for orphan in orphans { orphan.end() }
  }
}
