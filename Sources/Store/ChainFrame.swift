public import Synchronization

/// One dispatch on its way through the links of the chain.
///
/// It is safe because ``advance(_:to:readers:)``, which alone reads ``chain``, is only called for
/// the thread of an open frame: below it on the stack a dispatch holds the store.
@usableFromInline @safe
package final class ChainFrame<State: Sendable>: Sendable {
  @usableFromInline let reference: StoreReference<State>
  /// The store's links, which the frame does not hold: a link may keep the frame, and must not keep
  /// itself by it.
  @usableFromInline let chain: Unmanaged<LinkChain<State>>?
  @usableFromInline let identity: DispatchIdentity
  /// Whether the dispatch entered the chain before the store was shut down.
  @usableFromInline let isAdmitted: Bool
  /// The effect that sent the action, whose cancellation silences it also when a link delays it.
  @usableFromInline let effect: (any EffectSender)?
  @usableFromInline let thread: ThreadIdentity
  /// Whether the chain has not returned yet; what a link keeps of a closed frame starts a new one.
  @usableFromInline let isOpen: Atomic<Bool>
  @usableFromInline let memory: Lock<ChainMemory>

  @inlinable
  init(
    chain: LinkChain<State>?, reference: StoreReference<State>, identity: DispatchIdentity,
    effect: (any EffectSender)?, parent: Lineage?, isAdmitted: Bool = false
  ) {
    self.isAdmitted = isAdmitted
    unsafe self.chain = chain.map { unsafe Unmanaged.passUnretained($0) }
    self.reference = reference
    self.identity = identity
    self.effect = effect
    thread = .current
    isOpen = Atomic(true)
    memory = Lock(ChainMemory(parent: parent))
  }

  /// A frame for what a link kept of this one after its chain had returned.
  @inlinable
  func reopened(in store: Store<State>) -> ChainFrame {
    ChainFrame(
      chain: store.chain, reference: reference, identity: identity, effect: effect,
      parent: isOpen.load(ordering: .acquiring) ? currentLineage() : nil)
  }

  /// A frame for code that outlives this dispatch and any other and cannot tell them apart: closed,
  /// and without the effect, whose cancellation would silence actions that it did not send.
  func detached() -> ChainFrame {
    let frame = ChainFrame(
      chain: nil, reference: reference, identity: identity, effect: nil, parent: nil)
    _ = frame.close()
    return frame
  }

  /// The lineage of this dispatch.
  @inlinable
  func currentLineage() -> Lineage {
    memory.withLock { memory in
      if let lineage = memory.lineage { return lineage }
      let lineage = Lineage(parent: memory.parent)
      if isOpen.load(ordering: .acquiring) {
        (memory.lineage, memory.completion) = (lineage, lineage.completion)
      }
      return lineage
    }
  }

  /// Ends the frame; returns what to wait for, if anything works for the dispatch.
  @inlinable
  func close() -> Completion? {
    // What ends here is released after the lock.
    let (completion, lineage, parent) = memory.withLock { memory in
      isOpen.store(false, ordering: .releasing)
      defer { (memory.completion, memory.lineage, memory.parent) = (nil, nil, nil) }
      return (memory.completion, memory.lineage, memory.parent)
    }
    _ = (lineage, parent)
    return completion
  }

  /// Whether the calling code is a link of this frame, called before the chain returned.
  @inlinable var isCurrent: Bool {
    isOpen.load(ordering: .acquiring) && thread == .current
  }
}

/// The links of a store.
@usableFromInline
final class LinkChain<State: Sendable>: Sendable {
  @usableFromInline let links: [Middleware<State>.Step]

  @inlinable
  init(_ links: [Middleware<State>.Step]) { self.links = links }
}

/// What a frame remembers besides what it was made with.
@usableFromInline
struct ChainMemory: Sendable {
  /// What caused the dispatch; forgotten when the chain returns, or a link that keeps its `next`
  /// would keep those waiting who wait for that.
  @usableFromInline var parent: Lineage?
  /// This dispatch itself, from when the first thing works for it until the chain returns.
  @usableFromInline var lineage: Lineage?
  /// What the handle will wait for.
  ///
  /// Held as long as the lineage is: what is sent in its name does not keep one nobody watches.
  @usableFromInline var completion: Completion?

  @inlinable
  init(parent: Lineage?) { self.parent = parent }
}
