public import Synchronization

extension Store {
  /// Sends an action for `sender`.
  @inlinable
  func send(_ action: any Action, source: SourceLine, sender: Sender) -> DispatchHandle {
    guard !isCalledDuringReduction("dispatch") else { return .finished }
    let generation = generation(of: sender)
    guard chain.links.isEmpty else {
      return sendThroughChain(action, source: source, sender: sender, generation: generation)
    }

    // Held for the handle from before anything can work for the dispatch: another thread may follow
    // up before this one is back, and what it sends does not keep a lineage that nobody watches.
    var completion: Completion?
    let (identity, commit) = commit(action, effect: sender.effect) { machine in
      machine.identify(cause: sender.cause, source: source, generation: generation)
    } lineage: {
      let (lineage, end) = Lineage.make(parent: sender.lineage)
      completion = end
      return lineage
    }
    if LoopWatch.concerns(generation), watchesLoops.load(ordering: .relaxed) {
      watch(action, identity)
    }
    if commit.drains {
      drain(generation: generation) { commit.first?.perform() }
    }
    return DispatchHandle(
      number: identity.number, store: commit.waitsFor, completion: completion)
  }

  /// What a commit came to.
  @usableFromInline
  struct Commit: Sendable {
    @usableFromInline var result: DispatchResult
    /// Whether the caller is to drain the queue.
    @usableFromInline var drains = false
    /// What is to be done first then; it was not queued.
    @usableFromInline var first: (any FollowUp)?
    /// The store, if anything is left to wait for when the caller has drained.
    @usableFromInline var waitsFor: StoreReference<State>?
    /// What there is to tell the diagnostics handler when the store is unlocked.
    @usableFromInline var notice: Notice?

    @inlinable
    init(result: DispatchResult) { self.result = result }
  }

  @usableFromInline
  enum Notice: Sendable {
    case effectIsCancelled
    case storeIsShutDown
    case queueIsLong(Int)
  }

  /// Reduces an action, queues what follows, and claims the drain, unless a chain will do that.
  ///
  /// What starts effects is asked before the store is locked, because that is code of the user's
  /// that the commit need not wait for. Most actions start none, and are done with one locking.
  @inlinable
  func commit(
    _ action: any Action, effect: (any EffectSender)?, chain: Next<State>? = nil,
    identify: (inout StoreStateMachine<State>) -> DispatchIdentity, lineage: () -> Lineage
  ) -> (identity: DispatchIdentity, commit: Commit) {
    let type = type(of: action)
    var commit = Commit(result: .swallowed)
    let (identity, route) = machine.withLock { machine in
      let identity = identify(&machine)
      let route = machine.route(for: type)
      if route.handlers.isEmpty {
        commit = reduce(
          action, of: type, identity: identity, effect: effect, route: route, chain: chain,
          in: &machine)
      }
      return (identity, route)
    }
    if !route.handlers.isEmpty {
      let followUps = FollowUps(of: action, identity, by: route.handlers)
      let lineage = followUps.first == nil ? nil : lineage()
      commit = machine.withLock { machine in
        reduce(
          action, of: type, identity: identity, effect: effect, route: route, chain: chain,
          followUps: followUps, lineage: lineage, in: &machine)
      }
    }
    if let notice = commit.notice { report(notice, of: action, identity: identity, effect: effect) }
    return (identity, commit)
  }

  @inlinable
  func reduce(
    _ action: any Action, of type: any Action.Type, identity: DispatchIdentity,
    effect: (any EffectSender)?, route: Route<State>, chain: Next<State>?,
    followUps: FollowUps = FollowUps(), lineage: Lineage? = nil,
    in machine: inout StoreStateMachine<State>
  ) -> Commit {
    var commit = Commit(result: .swallowed)
    if let effect, effect.isCancelled {
      commit.notice = .effectIsCancelled
      return commit
    }
    guard machine.phase.admits(identity.cause, isAdmitted: chain?.frame.isAdmitted == true) else {
      commit.notice = .storeIsShutDown
      return commit
    }
    reduction.set(type, identity)
    let number = machine.commit(action, identity, route: route)
    if let lineage {
      commit.first = machine.register(
        followUps, lineage: lineage, isFollowedUpHere: chain == nil && !machine.isDraining,
        generation: identity.generation)
    }
    chain?.readers?.callAll(commit: number, state: machine.state)
    reduction.clear()
    if hasAbandonedObservers.load(ordering: .relaxed) { removeAbandonedObservers(from: &machine) }
    commit.result = .reduced(commit: number)
    commit.drains = commit.first != nil || (chain == nil && machine.claimDrain())
    if let depth = machine.takeLongQueue(workInHand: workInHand.load(ordering: .relaxed)) {
      commit.notice = .queueIsLong(depth)
    }
    // What the effects send later may be told to observers by another thread.
    let isLeft = lineage != nil || (machine.isDraining && !commit.drains)
    if isLeft { commit.waitsFor = machine.reference }
    return commit
  }

  @usableFromInline
  func report(
    _ notice: Notice, of action: any Action, identity: DispatchIdentity, effect: (any EffectSender)?
  ) {
    let name = String(describing: type(of: action))
    switch notice {
    case .effectIsCancelled:
      guard let effect else { return }
      diagnostics(
        .actionAfterEffectCancelled(
          action: name, effect: effect.name, origin: effect.origin, source: identity.source))
    case .storeIsShutDown:
      diagnostics(.actionAfterShutdown(action: name, dispatch: identity))
    case .queueIsLong(let depth):
      diagnostics(.longFollowUpQueue(depth: depth, action: name, dispatch: identity))
    }
  }
}
