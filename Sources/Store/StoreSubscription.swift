public import Synchronization

/// One observer's place in a store, which ends with the life of this token.
///
/// Keep it for as long as you want to be told. ``cancel()`` ends it earlier. The token does not keep
/// the store alive.
public final class StoreSubscription: Sendable {
  /// Shared with the deliveries already queued.
  @usableFromInline
  final class Switch: Sendable {
    @usableFromInline let isOff = Atomic<Bool>(false)

    @inlinable
    init() {}
  }

  let store: (any StoreReferencing)?
  let id: UInt64
  let off: Switch

  @usableFromInline
  init(store: (any StoreReferencing)?, id: UInt64, off: Switch) {
    self.store = store
    self.id = id
    self.off = off
  }

  /// Ends the subscription; once is enough, twice is no error.
  ///
  /// On the thread that is telling observers no call begins after this one returned, also in the
  /// middle of a pass. From another thread, a call that has been let through may still be running.
  public func cancel() {
    guard !off.isOff.exchange(true, ordering: .acquiringAndReleasing) else { return }
    store?.removeObserver(id)
  }

  deinit { cancel() }
}
