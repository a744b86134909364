/// Everything a store remembers, as a pure value: the state, who observes it, and what is to be done.
///
/// The store calls it while it is locked, and does what it answers after unlocking.
///
/// One action goes through two phases. Its *commit* happens within one call of ``commit(_:route:)``
/// and ``register(_:lineage:)``: the state changes, changed selections and registered follow-ups are
/// appended to the queue. *Follow-up* is taking work from the queue, with ``takeWork(liveEffects:)``, until there
/// is none. One thread drains at a time: the one whose ``claimDrain()`` answered true.
@usableFromInline
struct StoreStateMachine<State: Sendable> {
  @usableFromInline var state: State
  @usableFromInline let reducer: Reducer<State>
  /// Set once, when the store is made.
  @usableFromInline var reference: StoreReference<State>?
  @usableFromInline var followers: [any Follower] = []
  @usableFromInline var routes: [ObjectIdentifier: Route<State>] = [:]
  @usableFromInline var observers = ObserverList<State>()
  /// The number of commits so far.
  @usableFromInline var commits: UInt64 = 0
  /// What is to be done, first in, first out.
  @usableFromInline var queue: [Work] = []
  /// Whether a thread takes work from the queue, or is about to.
  @usableFromInline var isDraining = false
  /// The chains that have not returned yet, of all threads.
  @usableFromInline var chains: [ChainFrame<State>] = []
  /// Finished when there is nothing left to do; nil while nobody waits for that.
  @usableFromInline var idleness: Completion?

  @inlinable
  init(state: consuming State, reducer: Reducer<State>) {
    self.state = state
    self.reducer = reducer
  }
}

extension StoreStateMachine {
  /// How actions of `type` are handled: found once, then kept.
  @inlinable
  mutating func route(for type: any Action.Type) -> Route<State> {
    let id = ObjectIdentifier(type)
    if let route = routes[id] { return route }
    let route = Route(
      reductions: reducer.reductions(type),
      handlers: followers.compactMap { $0.handler(for: type) })
    routes[id] = route
    return route
  }

  /// Reduces an action, queues the selections it changed, and returns the number of the commit.
  @inlinable
  mutating func commit(
    _ action: any Action, _ identity: DispatchIdentity, route: Route<State>
  ) -> UInt64 {
    commits += 1
    guard !route.reductions.isEmpty else { return commits }
    for reduction in route.reductions { reduction.reduce(&state, action) }
    observers.queueNews(of: state, by: action, identity, into: &queue)
    return commits
  }

  /// Queues the follow-ups of a commit, in order.
  ///
  /// - Parameters:
  ///   - followUps: what its items and effects want to do.
  ///   - lineage: the dispatch they work for.
  ///   - isFollowedUpHere: whether the dispatch itself drains next, so that its context is at hand.
  @inlinable
  mutating func register(_ followUps: [FollowUp], lineage: Lineage, isFollowedUpHere: Bool) {
    for followUp in followUps {
      followUp.register(lineage)
      if isFollowedUpHere || !followUp.needsContext {
        queue.append(Work { followUp.perform(lineage) })
      } else {
        let task = HeldTask { followUp.perform(lineage) }
        queue.append(Work { task.open() })
      }
    }
  }

  /// Whether the caller is to drain the queue: there is work, and nobody is at it.
  @inlinable
  mutating func claimDrain() -> Bool {
    guard !isDraining, !queue.isEmpty else { return false }
    isDraining = true
    return true
  }

  /// Takes all work queued so far; if there is none the drain is over, and perhaps the store idle.
  @inlinable
  mutating func takeWork(liveEffects: Int) -> (work: [Work], idleness: Completion?) {
    guard !queue.isEmpty else {
      isDraining = false
      return ([], takeIdleness(liveEffects: liveEffects))
    }
    var work: [Work] = []
    swap(&work, &queue)
    return (work, nil)
  }
}

extension StoreStateMachine {
  /// Whether `thread` is inside a chain, so that a drain has to wait until that has returned.
  @inlinable
  func isInChain(_ thread: ThreadIdentity) -> Bool {
    chains.contains { $0.thread == thread }
  }

  @inlinable
  mutating func enterChain(_ frame: ChainFrame<State>) {
    chains.append(frame)
  }

  /// Forgets a chain that has returned; answers whether its thread is to drain.
  @inlinable
  mutating func leaveChain(
    _ frame: ChainFrame<State>, liveEffects: Int
  ) -> (drains: Bool, idleness: Completion?) {
    chains.removeAll { $0 === frame }
    guard !isInChain(frame.thread), claimDrain() else {
      return (false, takeIdleness(liveEffects: liveEffects))
    }
    return (true, nil)
  }

  /// Returns whom to tell that nothing is left to do, if that is so and anybody waits for it.
  @inlinable
  mutating func takeIdleness(liveEffects: Int) -> Completion? {
    guard isIdle(liveEffects: liveEffects) else { return nil }
    defer { idleness = nil }
    return idleness
  }

  /// Returns what to wait for, or nil if there is nothing left to do.
  mutating func awaitIdleness(liveEffects: Int) -> Completion? {
    guard !isIdle(liveEffects: liveEffects) else { return nil }
    let completion = idleness ?? Completion()
    idleness = completion
    return completion
  }

  @inlinable
  func isIdle(liveEffects: Int) -> Bool {
    liveEffects == 0 && queue.isEmpty && !isDraining && chains.isEmpty
  }
}

/// Something to do when the store is not locked.
@usableFromInline
struct Work: Sendable {
  @usableFromInline let perform: @Sendable () -> Void

  @inlinable
  init(_ perform: @escaping @Sendable () -> Void) { self.perform = perform }
}

/// How the actions of one type are handled in one store.
@usableFromInline
final class Route<State: Sendable>: Sendable {
  @usableFromInline let reductions: [Reducer<State>.Reduction]
  @usableFromInline let handlers: [FollowUpHandler]

  @inlinable
  init(reductions: [Reducer<State>.Reduction], handlers: [FollowUpHandler]) {
    self.reductions = reductions
    self.handlers = handlers
  }
}

// It holds observers that only the store's lock protects.
@available(*, unavailable)
extension StoreStateMachine: Sendable {}
