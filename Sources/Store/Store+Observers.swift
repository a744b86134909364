extension Store {
  /// Adds an observer of each new value of a part of the state.
  @inlinable
  func addObserver<Value: Equatable & Sendable>(
    of selector: @escaping @Sendable (State) -> Value, initial: Bool,
    _ receive: @escaping @Sendable (Value) -> Void
  ) -> StoreSubscription {
    addObserver(initial: initial, receive) { (state, _, _, last: inout Value?) -> Value? in
      let value = selector(state)
      guard last != value else { return nil }
      last = value
      return value
    }
  }

  /// Adds an observer of each value that is news after the one before.
  @inlinable
  func addObserver<Value: Sendable>(
    of selector: @escaping @Sendable (State) -> Value,
    by areEquivalent: @escaping @Sendable (Value, Value) -> Bool, initial: Bool,
    _ receive: @escaping @Sendable (Value) -> Void
  ) -> StoreSubscription {
    addObserver(initial: initial, receive) { (state, _, _, last: inout Value?) -> Value? in
      let value = selector(state)
      if let last, areEquivalent(last, value) { return nil }
      last = value
      return value
    }
  }

  /// Adds an observer of each change of a part of the state.
  @inlinable
  func addObserver<Value: Equatable & Sendable>(
    ofChanges selector: @escaping @Sendable (State) -> Value, initial: Bool,
    _ receive: @escaping @Sendable (StateChange<Value>) -> Void
  ) -> StoreSubscription {
    addObserver(initial: initial, receive) { (state, action, identity, last: inout Value?) in
      let value = selector(state)
      guard last != value else { return nil }
      defer { last = value }
      return StateChange(old: last, new: value, action: action, identity: identity)
    }
  }

  /// Adds an observer of what `evaluate` answers after each action.
  @inlinable
  func addObserver<Value: Sendable, News: Sendable>(
    initial: Bool, _ receive: @escaping @Sendable (News) -> Void,
    evaluate: @escaping ObserverGroup<State, Value, News>.Evaluation
  ) -> StoreSubscription {
    let off = StoreSubscription.Switch()
    guard !isCalledDuringReduction("subscribe") else {
      return StoreSubscription(store: nil, id: 0, off: off)
    }
    typealias Group = ObserverGroup<State, Value, News>
    let member = Group.Member(off: off, evaluate: evaluate, receive: receive)
    let (id, reference, drains, news) = machine.withLock {
      machine -> (UInt64, StoreReference<State>?, Bool, News?) in
      // Drawn here, because the list of observers is searched by it.
      let id = machine.observers.nextID()
      let news = withReducingMark { () -> News? in
        var value: Value?
        let news = evaluate(machine.state, nil, nil, &value)
        machine.observers.append(member, id: id, value: value)
        return initial ? news : nil
      }
      // Most often nothing is before it, and it need not be queued.
      if let news, machine.claimEmptyDrain() { return (id, machine.reference, true, news) }
      if let news { machine.queue.append(Group.work(news, to: member)) }
      let drains = !machine.isInChain(.current) && machine.claimDrain()
      return (id, machine.reference, drains, nil)
    }
    let subscription = StoreSubscription(store: reference, id: id, off: off)
    if drains { drain { if let news { receive(news) } } }
    return subscription
  }
}
