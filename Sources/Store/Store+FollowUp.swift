public import Synchronization

extension Store {
  /// How many pieces of follow-up work are waiting: one for each item, start of an effect, and group of
  /// observers to be told.
  ///
  /// It grows while actions come faster than observers and items deal with them, or are held up by one
  /// that blocks. When it passes 100,000 the diagnostics handler is told, once.
  public var followUpDepth: Int {
    guard !isCalledDuringReduction("followUpDepth") else { return 0 }
    return machine.withLock { $0.queue.count }
  }

  /// Does what is queued until nothing is; for the one that claimed the drain.
  @inlinable
  func drain() {
    if drainTurn() == .handsOver { handDrainOver() }
  }

  @inlinable
  func drainTurn() -> TurnEnd {
    drainingThread.set()
    defer { drainingThread.clear() }
    return EffectRecord.withoutCurrent {
      var (work, done): ([Work], [Work]) = ([], [])
      while true {
        swap(&work, &done)
        let (end, idleness) = machine.withLock {
          $0.takeWork(into: &work, liveEffects: liveEffects.load(ordering: .acquiring))
        }
        idleness?.finish()
        // What was done shares memory with the list of observers. Released after the store was locked,
        // not before, it is seen to have been read before another thread changes that in place.
        done.removeAll(keepingCapacity: true)
        if let end { return end }
        for index in work.indices {
          drainedGeneration.store(work[index].generation, ordering: .relaxed)
          work[index].perform()
        }
      }
    }
  }

  /// Lets the pool go on with the drain, which keeps the store until nothing is left to do.
  ///
  /// The thread that drained goes home: it would otherwise work for as long as others are busy.
  @usableFromInline
  func handDrainOver() {
    Task.detached { [self] in
      while drainTurn() == .handsOver { await Task.yield() }
    }
  }

  /// The generation of what `sender` sends now.
  ///
  /// An observer is told so by the work being done on this thread.
  @inlinable
  func generation(of sender: Sender) -> UInt32 {
    guard case .caller = sender.cause, drainingThread.isCurrent else { return sender.generation }
    return drainedGeneration.load(ordering: .relaxed) &+ 1
  }

  /// Notes one of the last generations before the limit, or tells that it was passed.
  @usableFromInline
  func watch(_ action: any Action, _ identity: DispatchIdentity) {
    let name = "\(type(of: action)) (\(identity))"
    guard let actions = loopWatch.withLock({ $0.note(name, generation: identity.generation) })
    else { return }
    diagnostics(.probableLoop(generations: Int(LoopWatch.mostGenerations), lastActions: actions))
  }
}
