public import Synchronization

extension Store {
  /// Tells an observer each new value of a part of the state.
  ///
  /// ```swift
  /// let subscription = store.subscribe(\.posts.values) { posts in show(posts) }
  /// ```
  ///
  /// Observers are told in the order in which they subscribed, of every change and of none twice, in
  /// the order of the commits, on whichever thread is doing follow-up work. They may dispatch.
  ///
  /// - Parameters:
  ///   - selector: reads the part; called once in each commit while the store is locked, so it must be
  ///     pure. Values are compared with the one last told.
  ///   - initial: whether to tell the value that the part has now.
  ///   - receive: told each value.
  /// - Returns: a token that ends the subscription with its life.
  @inlinable
  public func subscribe<Value: Equatable & Sendable>(
    _ selector: @escaping @Sendable (State) -> Value, initial: Bool = true,
    _ receive: @escaping @Sendable (Value) -> Void
  ) -> StoreSubscription {
    addObserver { machine, id, off in
      var last = selector(machine.state)
      if initial {
        let value = last
        machine.queue.append(Work { if !off.isOff.load(ordering: .acquiring) { receive(value) } })
      }
      machine.observers.append(id: id, capturing: { _ = (selector, receive) }) { state in
        if off.isOff.load(ordering: .acquiring) { return nil }
        let value = selector(state)
        guard value != last else { return nil }
        last = value
        return Work { if !off.isOff.load(ordering: .acquiring) { receive(value) } }
      }
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
    addObserver { machine, id, off in
      if initial {
        let state = machine.state
        machine.queue.append(Work { if !off.isOff.load(ordering: .acquiring) { receive(state) } })
      }
      machine.observers.append(id: id, capturing: { _ = receive }) { state in
        Work { if !off.isOff.load(ordering: .acquiring) { receive(state) } }
      }
    }
  }

  @inlinable
  func addObserver(
    _ add:
      @Sendable (inout StoreStateMachine<State>, _ id: UInt64, StoreSubscription.Switch) -> Void
  ) -> StoreSubscription {
    let off = StoreSubscription.Switch()
    guard !isCalledDuringReduction("subscribe") else {
      return StoreSubscription(store: nil, id: 0, off: off)
    }
    let id = lastObserver.add(1, ordering: .relaxed).newValue
    let (reference, drains) = machine.withLock { machine in
      withReducingMark { add(&machine, id, off) }
      return (machine.reference, !machine.isInChain(.current) && machine.claimDrain())
    }
    let subscription = StoreSubscription(store: reference, id: id, off: off)
    if drains { drain() }
    return subscription
  }
}
