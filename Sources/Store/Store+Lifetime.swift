internal import Synchronization

extension Store {
  /// Waits until the store has nothing left to do: no chain is under way, all follow-up is done,
  /// and no effect is alive, except in items declared `background()`.
  ///
  /// An action that a link keeps to pass it on later is not known to the store, and not waited for.
  /// Returns early when the calling task is cancelled. An effect that waits here although the store
  /// cannot be idle before it has ended, because it is one of this store or something here waits for
  /// it, is told so through its store's diagnostics handler, and does not wait.
  public func idle() async {
    let reference = machine.withLock { $0.reference }
    await reference?.rest.wait(for: "idle()") { patience in
      let idleness = machine.withLock { $0.awaitIdleness() }
      await idleness?.wait(patience)
    }
  }

  /// Whether no chain is under way and all follow-up is done; effects may be alive.
  package var isQuiet: Bool { machine.withLock { $0.isQuiet } }

  /// The effect of this store that asks, if it is one that has not ended.
  var callingEffect: (any EffectSender)? {
    // An effect without lineage has ended; what still runs in its name is a task that outlives it.
    guard let effect = CurrentEffect.value as? any EffectSender, effect.lineage != nil,
      effect.store === machine.withLock({ $0.reference })
    else { return nil }
    return effect
  }

  /// Waits until all follow-up work queued so far is done.
  func finishFollowUp() async {
    let completion = Completion()
    let mustWait = machine.withLock { machine in
      guard machine.isDraining || !machine.queue.isEmpty else { return false }
      machine.queue.append(Work { completion.finish() })
      return true
    }
    if mustWait { await completion.wait() }
  }

  func handles(_ type: any Action.Type) -> Bool {
    let route = machine.withLock { $0.route(for: type) }
    return route.reduction?.isTyped == true || route.handlers.contains(where: \.isTyped)
  }

  /// Cancels the effects that work for the dispatch of this completion, or all.
  func cancelEffects(workingFor completion: Completion?) {
    guard !isCalledDuringReduction("cancel") else { return }
    let (interruptions, drains) = machine.withLock { machine in
      var starts: [any FollowUp] = []
      let interruptions = withReducingMark {
        machine.followers.flatMap { $0.silence(workFor: completion, starting: &starts) }
      }
      return (interruptions, queue(starts.map { Work($0) }, in: &machine))
    }
    for interrupt in interruptions { interrupt() }
    if drains { drain() }
  }

  /// Runs `body` with what follows the actions of this store, while no action is reduced.
  ///
  /// - Parameters:
  ///   - call: the public call this is for, to be named if a reducer made it.
  ///   - body: may call `==` and `hash(into:)` of keys, and nothing else of the user's.
  /// - Returns: what `body` returns, or nil for a call from a reducer, which is diagnosed.
  package func withFollowers<Result: Sendable>(
    for call: String, _ body: @Sendable ([any Follower]) -> Result
  ) -> Result? {
    guard !isCalledDuringReduction(call) else { return nil }
    return machine.withLock { machine in withReducingMark { body(machine.followers) } }
  }

  /// Lets those go on who wait until nothing is left to do, if that is so.
  func checkRest() {
    let idleness = machine.withLock { $0.takeIdleness() }
    idleness?.finish()
  }

  func followUp(for call: String?, choosing choose: @Sendable () -> [any FollowUp]) {
    if let call, isCalledDuringReduction(call) { return }
    let drains = machine.withLock { machine in
      let chosen = withReducingMark(choose)
      return queue(chosen.map { Work($0) }, in: &machine)
    }
    if drains { drain() }
  }

  func followUp(_ work: @escaping @Sendable () -> Void) {
    let drains = machine.withLock { queue([Work(work)], in: &$0) }
    if drains { drain() }
  }

  /// Queues work that no action caused; answers whether the calling thread is to drain.
  private func queue(_ work: [Work], in machine: inout StoreStateMachine<State>) -> Bool {
    machine.queue += work
    return !machine.isInChain(.current) && machine.claimDrain()
  }

  func removeObserver(_ id: UInt64) {
    guard !isCalledDuringReduction("cancel") else {
      abandonedObservers.withLock { $0.append(id) }
      hasAbandonedObservers.store(true, ordering: .relaxed)
      return
    }
    let captured = machine.withLock { machine in
      withReducingMark { machine.observers.remove(id: id) }
    }
    _ = consume captured
  }

  /// Removes the observers that a reducer cancelled; what they captured is released in follow-up.
  @usableFromInline
  func removeAbandonedObservers(from machine: inout StoreStateMachine<State>) {
    hasAbandonedObservers.store(false, ordering: .relaxed)
    let ids = abandonedObservers.withLock { ids in
      defer { ids = [] }
      return ids
    }
    for id in ids {
      if let captured = machine.observers.remove(id: id) {
        machine.queue.append(Work { _ = captured })
      }
    }
  }

  /// The state, or nil for a reducer, a selector or an `==` that asks for it.
  @usableFromInline
  func currentState() -> State? { read { $0 } }

  /// A part of the state, or nil for a reducer, a selector or an `==` that asks for it.
  func read<Value>(_ selector: @Sendable (State) -> Value) -> Value? {
    guard !isCalledDuringReduction("state") else { return nil }
    return machine.withLock { machine in withReducingMark { selector(machine.state) } }
  }
}
