import Store

/// One effect at work in one store: starts its runs as actions come, and ends them.
final class EffectRunner: Follower {
  /// What one action makes the effect do.
  struct Start: Sendable {
    let key: (any Hashable & Sendable)?
    let body: RunningEffect.Body
  }

  /// Decides whether one action starts a run, and of what: pure, and asked before the store is
  /// locked.
  typealias Match = @Sendable (any Action) -> Start?

  let store: any StoreReferencing
  let name: EffectName
  /// Whether nobody waits for its runs.
  let isBackground: Bool
  private let policy: EffectPolicy
  private let match: @Sendable (any Action.Type) -> Match?
  private let machine = Lock(EffectRunnerStateMachine<RunningEffect>())

  init(
    store: any StoreReferencing, name: EffectName, policy: EffectPolicy, isBackground: Bool = false,
    match: @escaping @Sendable (any Action.Type) -> Match?
  ) {
    self.store = store
    self.name = name
    self.policy = policy
    self.isBackground = isBackground
    self.match = match
  }

  func handler(for type: any Action.Type) -> FollowUpHandler? {
    guard let match = match(type) else { return nil }
    return FollowUpHandler { [self] action, identity in
      guard let start = match(action) else { return nil }
      let effect = RunningEffect(
        runner: self, origin: identity, start: start, handlesFailures: type == EffectFailed.self)
      return FollowUp(
        register: { lineage in self.register(effect, lineage: lineage) },
        perform: { _ in effect.open() })
    }
  }

  /// Called in the critical section of the action's commit, so a cancel can only come later.
  private func register(_ effect: RunningEffect, lineage: Lineage) {
    let arrival = machine.withLock { machine in
      machine.arrive(effect, number: effect.record.number, key: effect.key, policy: policy)
    }
    switch arrival {
    case .start(let replaced):
      for old in replaced { old.record.cancel() }
      effect.reserve(lineage: lineage, replacing: replaced)
    }
  }

  /// Called by a run when it has ended, whatever ended it.
  func didEnd(_ effect: RunningEffect) {
    store.effectDidEnd(isAwaited: !isBackground) {
      self.machine.withLock { $0.end(number: effect.record.number, key: effect.key) }
    }
  }

  /// Silences the selected runs and returns them to be interrupted after the store is unlocked.
  func silence(_ selection: EffectSelection) -> [RunningEffect] {
    if let name = selection.name, name != self.name { return [] }
    let effects = machine.withLock { $0.remove(key: selection.key) }
    for effect in effects { effect.record.cancel() }
    return effects
  }

  func inBackground() -> any Follower {
    EffectRunner(store: store, name: name, policy: policy, isBackground: true, match: match)
  }

  func silence(workFor completion: Completion?) -> [@Sendable () -> Void] {
    let effects = machine.withLock { machine in
      guard let completion else { return machine.remove(key: nil) }
      return machine.remove { $0.record.lineage?.isAhead(of: completion) == true }
    }
    for effect in effects { effect.record.cancel() }
    return effects.map { effect in { effect.interrupt() } }
  }

  /// The runs that are alive, in no particular order.
  var liveEffects: [RunningEffect] { machine.withLock { $0.alive } }

  func storeWillEnd() {
    for effect in silence(.all) { effect.interrupt() }
  }
}
