public import Synchronization

/// What the store knows of one run of an effect: who it is, where it came from, whether it may
/// still speak.
@usableFromInline
package final class EffectRecord: Sendable {
  /// The effect of the task that asks, if it is one.
  @TaskLocal package static var current: EffectRecord?

  /// The store it belongs to.
  @usableFromInline package let store: any StoreReferencing
  /// The name of the effect.
  @usableFromInline package let name: EffectName
  /// The number of this run, counted from 1 in each store; no two runs share one.
  @usableFromInline package let number: UInt64
  /// The dispatch whose action started this run.
  @usableFromInline package let origin: DispatchIdentity

  /// Set once, while the store is locked; read there before each reduction of an action it sent.
  @usableFromInline let cancelled = Atomic<Bool>(false)
  private let lineageOfOrigin = Lock<Lineage?>(nil)

  package init(store: any StoreReferencing, name: EffectName, origin: DispatchIdentity) {
    self.store = store
    self.name = name
    number = store.nextEffectNumber()
    self.origin = origin
  }

  /// Whether the run was cancelled, so that nothing more of it may be reduced.
  @inlinable package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Silences the run; to be called in the store's critical section.
  package func cancel() { cancelled.store(true, ordering: .releasing) }

  /// The dispatch this run works for, until it ends.
  package var lineage: Lineage? { lineageOfOrigin.withLock { $0 } }

  /// Keeps the dispatch from being finished until ``leave()``.
  package func join(_ lineage: Lineage) { lineageOfOrigin.withLock { $0 = lineage } }

  /// Runs follow-up work, which is nobody's in particular.
  ///
  /// When an effect dispatches, its thread may do the follow-up of others. A task that an observer
  /// makes there must not be taken for the effect when it waits for the store.
  @usableFromInline static func withoutCurrent<Result>(_ body: () -> Result) -> Result {
    guard current != nil else { return body() }
    return $current.withValue(nil, operation: body)
  }

  /// Ends the work for the dispatch.
  package func leave() {
    let lineage = lineageOfOrigin.withLock { current in
      defer { current = nil }
      return current
    }
    _ = consume lineage
  }
}
