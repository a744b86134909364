public import Synchronization

extension Store {
  @inlinable
  func sendThroughChain(
    _ action: any Action, source: SourceLine, sender: Sender, generation: UInt32
  ) -> DispatchHandle {
    let frame = machine.withLock { machine in
      let identity = machine.identify(
        cause: sender.cause, source: source, generation: generation)
      return machine.enterChain(identity, of: self, sender: sender)
    }
    if LoopWatch.concerns(generation), watchesLoops.load(ordering: .relaxed) {
      watch(action, frame.identity)
    }
    // A task that a link makes must not be taken for the effect when it waits for the store.
    let result =
      sender.effect == nil
      ? frame.advance(action, to: 0, readers: nil)
      : CurrentEffect.without { frame.advance(action, to: 0, readers: nil) }
    let (_, completion) = finish(frame, result: result)
    return DispatchHandle(
      number: frame.identity.number, store: frame.reference, completion: completion)
  }

  /// Passes an action on for a link that kept its `next` beyond its call, or uses it on another
  /// thread.
  ///
  /// That is a chain of its own, followed up when it has returned.
  @inlinable
  func pass(_ action: any Action, to next: Next<State>) -> DispatchResult {
    guard !isCalledDuringReduction("next") else { return .swallowed }
    let frame = next.frame.reopened(in: self)
    machine.withLock { $0.enterChain(frame) }
    let result = frame.advance(action, to: next.index, readers: next.readers)
    return finish(frame, result: result).result
  }

  /// Ends a chain that has returned, and does what it left to be done.
  @inlinable
  func finish(
    _ frame: ChainFrame<State>, result: DispatchResult
  ) -> (result: DispatchResult, completion: Completion?) {
    let completion = frame.close()
    let (drains, idleness) = machine.withLock { $0.leaveChain(frame) }
    idleness?.finish()
    if drains { drain() }
    return (result, completion)
  }

  /// Reduces an action that has passed the last link.
  @inlinable
  func reduce(_ action: any Action, after next: Next<State>) -> DispatchResult {
    guard !isCalledDuringReduction("next") else { return .swallowed }
    let frame = next.frame
    return commit(
      action, effect: frame.effect, chain: next, identify: { _ in frame.identity },
      lineage: frame.currentLineage
    ).commit.result
  }
}

extension Next {
  /// Passes an action on, in a chain of its own if this one has returned or is another thread's.
  @inlinable
  func pass(_ action: any Action) -> DispatchResult {
    if frame.isCurrent { return frame.advance(action, to: index, readers: readers) }
    guard let store = frame.reference.store else { return .swallowed }
    return store.pass(action, to: self)
  }
}

extension ChainFrame {
  /// Passes an action to the link at `index`, or to the reducer after the last one.
  ///
  /// Only for the thread of an open frame. The store is touched only at the end: it has weak
  /// references, and to retain it takes several times as long as another object
  /// (`store.dispatch.link`).
  @inlinable
  func advance(
    _ action: any Action, to index: Int, readers: StateReaders<State>?
  ) -> DispatchResult {
    if let result = pass(action, toLink: index, readers: readers) { return result }
    let next = Next(frame: self, index: index, readers: readers)
    return reference.store?.reduce(action, after: next) ?? .swallowed
  }

  /// Passes an action to the link at `index`; answers nil if there is none.
  @inlinable
  func pass(
    _ action: any Action, toLink index: Int, readers: StateReaders<State>?
  ) -> DispatchResult? {
    // The dispatch on the stack holds the store, and that its links, as long as the frame is open.
    unsafe chain?._withUnsafeGuaranteedRef { chain in
      guard index < chain.links.count else { return nil }
      let next = Next(frame: self, index: index + 1, readers: readers)
      return chain.links[index].run(action, LinkContext(frame: self), next)
    }
  }
}
