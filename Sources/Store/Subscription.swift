public import Synchronization

/// One observer's place in a store, which ends with the life of this token.
///
/// Keep it for as long as you want to be told. ``cancel()`` ends it earlier. The token does not keep
/// the store alive.
public final class Subscription: Sendable {
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
  /// Holds what the observer captured, so that it is not released while the store is locked.
  private let captured: Lock<(@Sendable () -> Void)?>

  @usableFromInline
  init(
    store: (any StoreReferencing)?, id: UInt64, off: Switch,
    captured: @escaping @Sendable () -> Void
  ) {
    self.store = store
    self.id = id
    self.off = off
    self.captured = Lock(captured)
  }

  /// Ends the subscription; once is enough, twice is no error.
  ///
  /// On the thread that is telling observers no call begins after this one returned, also in the
  /// middle of a pass. From another thread, a call that has been let through may still be running.
  public func cancel() {
    guard !off.isOff.exchange(true, ordering: .acquiringAndReleasing) else { return }
    store?.removeObserver(id)
    let captured = captured.withLock { captured in
      defer { captured = nil }
      return captured
    }
    _ = consume captured
  }

  deinit { cancel() }
}
