internal import Synchronization

extension Store {
  /// Waits until the store has nothing left to do: no chain is under way, all follow-up is done, and
  /// no effect is alive.
  ///
  /// Returns early when the calling task is cancelled. An effect of this store that waits here is told
  /// so through the diagnostics handler, and does not wait.
  public func idle() async {
    // An effect without lineage has ended; what still runs in its name is a task that outlives it.
    if let effect = EffectRecord.current, effect.lineage != nil,
      effect.store === machine.withLock({ $0.reference })
    {
      diagnostics(.effectWaitsForItself(effect: effect.name, call: "idle()"))
      return
    }
    let idleness = machine.withLock {
      $0.awaitIdleness(liveEffects: liveEffects.load(ordering: .acquiring))
    }
    await idleness?.wait()
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
    return !route.reductions.isEmpty || !route.handlers.isEmpty
  }

  /// Runs `body` while no action is reduced; call no code of the user's in it.
  package func withCriticalSection<Result: Sendable>(_ body: @Sendable () -> Result) -> Result {
    machine.withLock { _ in body() }
  }

  /// What follows the actions of this store, in the order given to it.
  package var followers: [any Follower] {
    guard !isCalledDuringReduction("cancelEffects") else { return [] }
    return machine.withLock { $0.followers }
  }

  func nextEffectNumber() -> UInt64 {
    lastEffect.add(1, ordering: .relaxed).newValue
  }

  func effectDidRegister() {
    liveEffects.add(1, ordering: .acquiringAndReleasing)
  }

  func effectDidEnd() {
    let live = liveEffects.subtract(1, ordering: .acquiringAndReleasing).newValue
    guard live == 0 else { return }
    let idleness = machine.withLock {
      $0.takeIdleness(liveEffects: liveEffects.load(ordering: .acquiring))
    }
    idleness?.finish()
  }

  func removeObserver(_ id: UInt64) {
    guard !isCalledDuringReduction("cancel") else { return }
    machine.withLock { machine in
      withReducingMark { machine.observers.remove(id: id) }
    }
  }

  /// The state, or nil for a reducer, a selector or an `==` that asks for it.
  @usableFromInline
  func currentState() -> State? {
    guard !isCalledDuringReduction("state") else { return nil }
    return machine.withLock { $0.state }
  }
}
