public import Synchronization

extension Store {
  @inlinable
  func sendThroughChain(
    _ action: any Action, identity: DispatchIdentity, sender: Sender
  ) -> DispatchHandle {
    guard let reference = machine.withLock({ $0.reference }) else { return .finished }
    let frame = ChainFrame(
      reference: reference, identity: identity, effect: sender.effect, parent: sender.lineage)
    let (_, completion) = run(action, from: 0, of: frame)
    return DispatchHandle(number: identity.number, store: reference, completion: completion)
  }

  /// Passes an action to the link at `index`, or to the reducer after the last one.
  @inlinable
  func pass(
    _ action: any Action, to index: Int, of frame: ChainFrame<State>,
    reader: ChainFrame<State>.Reader? = nil
  ) -> DispatchResult {
    guard !isCalledDuringReduction("next") else { return .swallowed }
    guard frame.isCurrent else {
      let frame = frame.reopened()
      guard let reader else { return run(action, from: index, of: frame).result }
      return frame.withReader(reader) { run(action, from: index, of: frame).result }
    }
    guard let reader else { return advance(action, to: index, of: frame) }
    return frame.withReader(reader) { advance(action, to: index, of: frame) }
  }

  /// Runs the rest of a chain to its end, and then what it left to be done.
  @inlinable
  func run(
    _ action: any Action, from index: Int, of frame: ChainFrame<State>
  ) -> (result: DispatchResult, completion: Completion?) {
    machine.withLock { $0.enterChain(frame) }
    let result = advance(action, to: index, of: frame)
    let completion = frame.close()
    let (drains, idleness) = machine.withLock {
      $0.leaveChain(frame, liveEffects: liveEffects.load(ordering: .acquiring))
    }
    idleness?.finish()
    if drains { drain() }
    return (result, completion)
  }

  @inlinable
  func advance(
    _ action: any Action, to index: Int, of frame: ChainFrame<State>
  ) -> DispatchResult {
    guard index < links.count else {
      return commit(
        action, identity: frame.identity, effect: frame.effect, frame: frame,
        lineage: frame.currentLineage
      ).result
    }
    return links[index].run(action, LinkContext(frame: frame), Next(frame: frame, index: index + 1))
  }
}
