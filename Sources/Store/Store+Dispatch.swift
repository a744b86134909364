public import Synchronization

extension Store {
  /// Sends an action for `sender`.
  @inlinable
  func send(_ action: any Action, source: SourceLine, sender: Sender) -> DispatchHandle {
    guard !isCalledDuringReduction("dispatch") else { return .finished }
    let identity = DispatchIdentity(
      number: lastDispatch.add(1, ordering: .relaxed).newValue, cause: sender.cause, source: source)
    guard links.isEmpty else { return sendThroughChain(action, identity: identity, sender: sender) }

    // Held for the handle from before anything can work for the dispatch: another thread may follow
    // up before this one is back, and what it sends does not keep a lineage that nobody watches.
    var completion: Completion?
    let commit = commit(action, identity: identity, effect: sender.effect) {
      let lineage = Lineage(parent: sender.lineage)
      completion = lineage.completion
      return lineage
    }
    if commit.drains { drain() }
    return DispatchHandle(
      number: identity.number, store: commit.waitsFor, completion: completion)
  }

  /// What a commit came to.
  @usableFromInline
  struct Commit: Sendable {
    @usableFromInline var result: DispatchResult
    /// Whether the caller is to drain the queue.
    @usableFromInline var drains: Bool
    /// The store, if anything is left to wait for when the caller has drained.
    @usableFromInline var waitsFor: StoreReference<State>?

    @inlinable
    init(result: DispatchResult, drains: Bool, waitsFor: StoreReference<State>?) {
      self.result = result
      self.drains = drains
      self.waitsFor = waitsFor
    }
  }

  /// Reduces an action, queues what follows, and claims the drain, unless a frame will do that.
  ///
  /// What starts effects is asked before the store is locked, because that is code of the user's
  /// that the commit need not wait for. Most actions start none, and are done with one locking.
  @inlinable
  func commit(
    _ action: any Action, identity: DispatchIdentity, effect: EffectRecord?,
    frame: ChainFrame<State>? = nil, lineage: () -> Lineage
  ) -> Commit {
    let (early, route) = machine.withLock { machine -> (Commit?, Route<State>) in
      let route = machine.route(for: type(of: action))
      guard route.handlers.isEmpty else { return (nil, route) }
      let commit = reduce(
        action, identity: identity, effect: effect, route: route, frame: frame, in: &machine)
      return (commit, route)
    }
    let commit: Commit
    if let early {
      commit = early
    } else {
      let followUps = route.handlers.compactMap { $0.prepare(action, identity) }
      let lineage = followUps.isEmpty ? nil : lineage()
      commit = machine.withLock { machine in
        reduce(
          action, identity: identity, effect: effect, route: route, frame: frame,
          followUps: followUps, lineage: lineage, in: &machine)
      }
    }
    if let effect, commit.result == .swallowed {
      reportCancelled(action, effect: effect, source: identity.source)
    }
    return commit
  }

  @inlinable
  func reduce(
    _ action: any Action, identity: DispatchIdentity, effect: EffectRecord?, route: Route<State>,
    frame: ChainFrame<State>?, followUps: [FollowUp] = [], lineage: Lineage? = nil,
    in machine: inout StoreStateMachine<State>
  ) -> Commit {
    if let effect, effect.isCancelled {
      return Commit(result: .swallowed, drains: false, waitsFor: nil)
    }
    let number = withReducingMark {
      let number = machine.commit(action, identity, route: route)
      if let lineage {
        machine.register(
          followUps, lineage: lineage, isFollowedUpHere: frame == nil && !machine.isDraining)
      }
      frame?.read(machine.state, of: number)
      return number
    }
    let drains = frame == nil && machine.claimDrain()
    // What the effects send later may be told to observers by another thread.
    let isLeft = lineage != nil || (machine.isDraining && !drains)
    return Commit(
      result: .reduced(commit: number), drains: drains, waitsFor: isLeft ? machine.reference : nil)
  }

  @usableFromInline
  func reportCancelled(_ action: any Action, effect: EffectRecord, source: SourceLine) {
    diagnostics(
      .actionAfterEffectCancelled(
        action: String(describing: type(of: action)), effect: effect.name, origin: effect.origin,
        source: source))
  }

  /// Does what is queued until nothing is; for the one that claimed the drain.
  @inlinable
  func drain() {
    EffectRecord.withoutCurrent {
      while true {
        let (work, idleness) = machine.withLock {
          $0.takeWork(liveEffects: liveEffects.load(ordering: .acquiring))
        }
        idleness?.finish()
        if work.isEmpty { return }
        for item in work { item.perform() }
      }
    }
  }

  /// Runs code of the user's in the critical section, marked so that its calls to the store are found.
  @inlinable
  func withReducingMark<Result>(_ body: () -> Result) -> Result {
    reducingThread.store(ThreadIdentity.current.rawValue, ordering: .relaxed)
    defer { reducingThread.store(0, ordering: .relaxed) }
    return body()
  }

  /// Whether the calling thread is running a reducer of this store; if so, says so.
  ///
  /// A thread can only find its own identity here if it put it there, so the order of memory does not
  /// matter.
  @inlinable
  func isCalledDuringReduction(_ call: String) -> Bool {
    let reducing = reducingThread.load(ordering: .relaxed)
    guard reducing != 0, reducing == ThreadIdentity.current.rawValue else { return false }
    reportCallDuringReduction(call)
    return true
  }

  /// Tells the diagnostics handler, which is in the critical section as well: what it calls is
  /// ignored, without telling it again and again.
  @usableFromInline
  func reportCallDuringReduction(_ call: String) {
    guard !isReportingCall.exchange(true, ordering: .relaxed) else { return }
    defer { isReportingCall.store(false, ordering: .relaxed) }
    diagnostics(.callDuringReduction(call: call))
  }
}
