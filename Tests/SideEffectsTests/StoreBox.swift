import SideEffects
import Store

/// A way for items, links and bodies to get at the store that is made of them.
final class StoreBox: Sendable {
  private let contents = Lock<Weak?>(nil)

  private struct Weak {
    weak var store: Store<Journal>?
  }

  func set(_ store: Store<Journal>) { contents.withLock { $0 = Weak(store: store) } }

  var store: Store<Journal>? { contents.withLock { $0?.store } }

  func cancelEffects(_ selection: EffectSelection) { store?.cancelEffects(selection) }
}
