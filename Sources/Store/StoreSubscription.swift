public import Synchronization

/// One observer's place in a store, which ends with the life of this token.
///
/// Keep it for as long as you want to be told. ``cancel()`` ends it earlier. The token does not
/// keep the store alive.
public final class StoreSubscription: Sendable {
  /// Shared with the observer, of whom something may be queued.
  @usableFromInline
  final class Switch: Sendable {
    @usableFromInline let state = Atomic<Bool>(false)

    @inlinable
    init() {}

    /// One that is off, and always will be.
    @inlinable static var turnedOff: Switch {
      let off = Switch()
      off.state.store(true, ordering: .relaxed)
      return off
    }

    @inlinable var isOff: Bool { state.load(ordering: .acquiring) }

    /// Turns it off; answers whether it was on.
    func turnOff() -> Bool { !state.exchange(true, ordering: .acquiringAndReleasing) }
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
    guard off.turnOff() else { return }
    store?.removeObserver(id)
  }

  deinit { cancel() }
}
