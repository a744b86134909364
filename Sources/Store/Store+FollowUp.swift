public import Synchronization

extension Store {
  /// How many pieces of follow-up work are waiting: one for each item, start of an effect, and
  /// group of observers to be told.
  ///
  /// It grows while actions come faster than observers and items deal with them, or are held up by
  /// one that blocks. When it passes 100,000 the diagnostics handler is told, once.
  public var followUpDepth: Int {
    guard !isCalledDuringReduction("followUpDepth") else { return 0 }
    return machine.withLock { $0.queue.count } + workInHand.load(ordering: .relaxed)
  }

  /// Does `first`, which is of a generation, then what is queued until nothing is; for the one that
  /// claimed the drain.
  @inlinable
  func drain(generation: UInt32 = 0, beginningWith first: () -> Void = {}) {
    if drainTurn(generation: generation, beginningWith: first) == .handsOver { handDrainOver() }
  }

  /// Does `first`, then what is queued until nothing is, or until it has done enough of what others
  /// queued.
  @inlinable
  func drainTurn(generation: UInt32 = 0, beginningWith first: () -> Void = {}) -> TurnEnd {
    let thread = ThreadIdentity.current
    drainingThread.set()
    return CurrentEffect.without {
      var (work, done): ([Work], [Work]) = ([], [])
      var foreign = 0
      drainedGeneration.store(generation, ordering: .relaxed)
      first()
      while true {
        swap(&work, &done)
        let (isOver, idleness) = machine.withLock { machine in
          let taken = machine.takeWork(into: &work)
          // Before another thread can claim the drain, and say that it is the one.
          if taken.isOver { drainingThread.clear() }
          return taken
        }
        idleness?.finish()
        // What was done shares memory with the list of observers. Released after the store was
        // locked, not before, it is seen to have been read before another thread changes that in
        // place.
        done.removeAll(keepingCapacity: true)
        if isOver { return .isDone }
        for index in work.indices {
          if work[index].thread != thread {
            foreign += 1
            if foreign > TurnEnd.mostForeign { return handOver(work[index...]) }
          }
          workInHand.store(work.count - index - 1, ordering: .relaxed)
          drainedGeneration.store(work[index].generation, ordering: .relaxed)
          work[index].perform()
        }
      }
    }
  }

  /// Puts back what is left of the work in hand.
  @usableFromInline
  func handOver(_ work: ArraySlice<Work>) -> TurnEnd {
    machine.withLock { machine in
      machine.queue.insert(contentsOf: work, at: 0)
      workInHand.store(0, ordering: .relaxed)
      drainingThread.clear()
    }
    return .handsOver
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
    watchesLoops.store(false, ordering: .relaxed)
    diagnostics(.probableLoop(generations: Int(LoopWatch.mostGenerations), lastActions: actions))
  }
}
