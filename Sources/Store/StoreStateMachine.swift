/// Everything a store remembers, as a pure value: the state, who observes it, and what is to be
/// done.
///
/// The store calls it while it is locked, and does what it answers after unlocking.
///
/// One action goes through two phases. Its *commit* happens within one call of ``commit(_:route:)``
/// and ``register(_:lineage:)``: the state changes, changed selections and registered follow-ups
/// are appended to the queue. *Follow-up* is taking work from the queue, with
/// ``takeWork(into:)``, until there is none. One thread drains at a time: the one whose
/// ``claimDrain()`` answered true.
@usableFromInline
struct StoreStateMachine<State: Sendable> {
  @usableFromInline var state: State
  @usableFromInline let reducer: Reducer<State>
  @usableFromInline let effects: EffectCount
  /// Set once, when the store is made.
  @usableFromInline var reference: StoreReference<State>?
  @usableFromInline var followers: [any Follower] = []
  @usableFromInline var routes = RouteTable<State>()
  @usableFromInline var observers = ObserverList<State>()
  @usableFromInline var takers = ActionTakers<State>()
  /// Asked in each commit that changed the state what to do about it.
  @usableFromInline var watches: [@Sendable (State) -> [@Sendable () -> Void]] = []
  /// The number of dispatches so far.
  @usableFromInline var dispatches: UInt64 = 0
  /// The number of commits so far.
  @usableFromInline var commits: UInt64 = 0
  /// What is to be done, first in, first out.
  @usableFromInline var queue: [Work] = []
  /// Whether a thread takes work from the queue, or is about to.
  @usableFromInline var isDraining = false
  @usableFromInline var isLongQueueReported = false
  @usableFromInline var phase = StorePhase.open
  /// The chains that have not returned yet, of all threads.
  @usableFromInline var chains: [ChainFrame<State>] = []
  /// Finished when there is nothing left to do; nil while nobody waits for that.
  @usableFromInline var idleness: Completion?

  @inlinable
  init(state: BoxedValue<State>, reducer: Reducer<State>, effects: EffectCount) {
    self.state = state.value
    self.effects = effects
    self.reducer = reducer
  }
}

extension StoreStateMachine {
  /// Gives a dispatch its number.
  @inlinable
  mutating func identify(
    cause: DispatchIdentity.Cause, source: SourceLine, generation: UInt32
  ) -> DispatchIdentity {
    dispatches += 1
    return DispatchIdentity(
      number: dispatches, cause: cause, source: source, generation: generation)
  }

  /// How actions of `type` are handled: found once, then kept.
  @inlinable
  mutating func route(for type: any Action.Type) -> Route<State> {
    let id = ObjectIdentifier(type)
    if let route = routes[id] { return route }
    let route = Route(
      reductions: reducer.reductions(type),
      handlers: followers.compactMap { $0.handler(for: type) })
    routes.add(route, for: id)
    return route
  }

  /// Reduces an action, queues the selections it changed, and returns the number of the commit.
  @inlinable
  mutating func commit(
    _ action: any Action, _ identity: DispatchIdentity, route: Route<State>
  ) -> UInt64 {
    commits += 1
    if let reduction = route.reduction, reduction.reduce(&state, action) {
      observers.queueNews(of: state, by: action, identity, into: &queue)
      for watch in watches { queue += watch(state).map { Work($0) } }
    }
    if !takers.isEmpty { queue += takers.take(action, state).map { Work($0) } }
    return commits
  }

  /// Queues the follow-ups of a commit, in order.
  ///
  /// - Parameters:
  ///   - followUps: what its items and effects want to do.
  ///   - lineage: the dispatch they work for.
  ///   - isFollowedUpHere: whether the dispatch itself drains next, so that its context is at hand.
  ///   - generation: that of the dispatch.
  /// - Returns: the first of them if nothing is before it: that is not queued, and the drain claimed
  ///   for the caller, who begins with it.
  @inlinable
  mutating func register(
    _ followUps: FollowUps, lineage: Lineage, isFollowedUpHere: Bool, generation: UInt32
  ) -> (any FollowUp)? {
    // What another thread queued before might be handed over, and this with it.
    let isNext = queue.first.map { $0.thread == .current } ?? true
    let registration = Registration(
      lineage: lineage, isFollowedUpHere: isFollowedUpHere && isNext)
    var next: (any FollowUp)?
    if let first = followUps.first, first.register(registration) {
      if isFollowedUpHere, queue.isEmpty {
        (isDraining, next) = (true, first)
      } else {
        queue.append(Work(generation: generation, first))
      }
    }
    for followUp in followUps.others where followUp.register(registration) {
      queue.append(Work(generation: generation, followUp))
    }
    return next
  }

  /// Whether the caller is to drain the queue: there is work, and nobody is at it.
  @inlinable
  mutating func claimDrain() -> Bool {
    guard !isDraining, !queue.isEmpty else { return false }
    isDraining = true
    return true
  }

  /// Whether the caller is to do something at once and then drain the queue: there is no work, and
  /// nobody is at it.
  @inlinable
  mutating func claimEmptyDrain() -> Bool {
    guard !isDraining, queue.isEmpty, !isInChain(.current) else { return false }
    isDraining = true
    return true
  }

  /// Takes all work queued so far in exchange for an empty array, whose memory is used again.
  ///
  /// If there is none the drain is over, and perhaps the store idle.
  @inlinable
  mutating func takeWork(
    into work: inout [Work]
  ) -> (isOver: Bool, idleness: Completion?) {
    swap(&work, &queue)
    guard work.isEmpty else { return (false, nil) }
    isDraining = false
    // The longer of two empty arrays is kept for the next drain, if it is not too long.
    if work.capacity > queue.capacity, work.capacity <= Self.mostKeptCapacity {
      swap(&work, &queue)
    }
    return (true, takeIdleness())
  }

  /// Returns the depth of the queue the first time that it is long.
  @inlinable
  mutating func takeLongQueue(workInHand: Int) -> Int? {
    let depth = queue.count + workInHand
    guard depth > Self.longQueue, !isLongQueueReported else { return nil }
    isLongQueueReported = true
    return depth
  }

  /// As much work is more than observers can be expected to catch up with.
  @inlinable static var longQueue: Int { 100_000 }

  @inlinable static var mostKeptCapacity: Int { 1_024 }
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

  /// Makes a frame for a dispatch that is about to enter the chain.
  @inlinable
  mutating func enterChain(
    _ identity: DispatchIdentity, of store: Store<State>, sender: Sender
  ) -> ChainFrame<State> {
    guard let reference else { preconditionFailure("a store is called before it was made") }
    let frame = ChainFrame(
      chain: store.chain, reference: reference, identity: identity,
      effect: sender.effect, parent: sender.lineage, isAdmitted: phase == .open)
    chains.append(frame)
    return frame
  }

  /// Forgets a chain that has returned; answers whether its thread is to drain.
  @inlinable
  mutating func leaveChain(
    _ frame: ChainFrame<State>
  ) -> (drains: Bool, idleness: Completion?) {
    if chains.last === frame { chains.removeLast() } else { chains.removeAll { $0 === frame } }
    guard !isInChain(frame.thread), claimDrain() else {
      return (false, takeIdleness())
    }
    return (true, nil)
  }

  /// Returns whom to tell that nothing is left to do, if that is so and anybody waits for it.
  @inlinable
  mutating func takeIdleness() -> Completion? {
    guard idleness != nil, isIdle else { return nil }
    defer { idleness = nil }
    effects.awaitRest(false)
    return idleness
  }

  /// Returns what to wait for, or nil if there is nothing left to do.
  mutating func awaitIdleness() -> Completion? {
    effects.awaitRest(true)
    guard !isIdle else { return nil }
    let completion = idleness ?? Completion()
    idleness = completion
    return completion
  }

  @inlinable
  var isIdle: Bool { effects.current == 0 && isQuiet }

  @inlinable
  var isQuiet: Bool { queue.isEmpty && !isDraining && chains.isEmpty }
}

// It holds observers that only the store's lock protects.
@available(*, unavailable)
extension StoreStateMachine: Sendable {}
