public import Synchronization

/// How many effects of a store are registered and have not ended.
///
/// Counted without the store's lock, which an effect that ends need not take unless it was the last
/// and somebody waits for that.
@usableFromInline
package final class EffectCount: Sendable {
  @usableFromInline let last = Atomic<UInt64>(0)
  private let lastTaker = Atomic<UInt64>(0)
  @usableFromInline let live = Atomic<Int>(0)
  /// Whether somebody waits until there is nothing left to do.
  ///
  /// Who waits sets this and then looks at the count, who ends lowers the count and then looks at
  /// this, all in one order: one of the two sees the other.
  @usableFromInline let isRestAwaited = Atomic<Bool>(false)

  @usableFromInline
  init() {}

  /// Returns the number of a new run, counted from 1.
  @inlinable package func nextNumber() -> UInt64 { last.add(1, ordering: .relaxed).newValue }

  /// Returns a number to wait for an action by, which nobody else has.
  package func nextTaker() -> UInt64 { lastTaker.add(1, ordering: .relaxed).newValue }

  /// How many there are.
  @usableFromInline package var current: Int { live.load(ordering: .sequentiallyConsistent) }

  /// Counts one more; called in the critical section.
  @inlinable package func didRegister() { live.add(1, ordering: .sequentiallyConsistent) }

  /// Counts one less; answers whether it was the last, and awaited.
  @inlinable package func didEnd() -> Bool {
    live.subtract(1, ordering: .sequentiallyConsistent).newValue == 0
      && isRestAwaited.load(ordering: .sequentiallyConsistent)
  }

  /// Notes whether somebody waits; called in the critical section.
  @usableFromInline
  func awaitRest(_ isAwaited: Bool) {
    isRestAwaited.store(isAwaited, ordering: .sequentiallyConsistent)
  }
}
