import Middleware
import SideEffects
import Store
import TestSupport

/// An operation that has run up to its first suspension by the time this is made.
///
/// So a test can tell, without waiting, whether the operation waits for something. It is the body
/// of an effect in a store of its own: that is what effects promise.
final class Begun: Sendable {
  private struct Run: Action {}

  private let over = Gate()
  private let store: Store<Int>

  init(_ operation: @escaping @Sendable () async -> Void) {
    store = Store(
      initialState: 0, reducer: .combine([]),
      middleware: [
        createMiddleware(items: [
          .effect(on: Run.self) { [over] _, _ in
            await operation()
            over.open()
          }
        ])
      ])
    store.dispatch(Run())
  }

  /// Whether the operation has returned.
  var isOver: Bool { over.isOpen }

  /// Waits until the operation has returned.
  func wait() async { await over.wait() }

  /// Cancels the task of the operation.
  func cancel() { store.cancelEffects(.all) }
}
