import Dispatch
import Middleware
import Store
import TestSupport

/// A thread that does the follow-up of a store and stays at it until the test lets it go.
///
/// What is dispatched meanwhile is followed up by that thread. The store needs ``item``.
final class HeldDrain: Sendable {
  private struct Hold: Action {
    var drain: HeldDrain
  }

  /// Holds the thread that follows up a `Hold`.
  static let item = MiddlewareItem.on(Hold.self) { action, _ in action.drain.hold() }

  private let arrived = Gate()
  private let returned = Gate()
  private let departure = DispatchSemaphore(value: 0)

  private init() {}

  /// Lets a new thread begin with the follow-up of `store`, and waits until it is at it.
  static func begin(
    on store: Store<Journal>,
    around dispatch: @escaping @Sendable (() -> Void) -> Void = { $0() }
  ) async -> HeldDrain {
    let drain = HeldDrain()
    onNewThread {
      dispatch { store.dispatch(Hold(drain: drain)) }
      drain.returned.open()
    }
    await drain.arrived.wait()
    return drain
  }

  /// Lets the thread go on without waiting for it.
  func release() { departure.signal() }

  /// Lets the thread go on, and waits until it has done all that was queued.
  func finish() async {
    release()
    await returned.wait()
  }

  private func hold() {
    arrived.open()
    departure.wait()
  }
}

/// Runs `body` on a thread that it may block.
func onNewThread(_ body: @escaping @Sendable () -> Void) {
  // A serial queue of its own, because a global one may have no thread left to give.
  DispatchQueue(label: "test thread").async(execute: body)
}
