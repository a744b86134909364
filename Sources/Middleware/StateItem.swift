public import Store

/// A ``MiddlewareItem`` that may read the state.
///
/// It says of which state, so it fits only into a store of that state. A `MiddlewareItem` fits into
/// all; to put both kinds into one list, wrap those: `StateItem(item)`.
public struct StateItem<State: Sendable>: Sendable {
  package let makeItem: @Sendable (StoreReference<State>) -> MiddlewareItem

  package init(makeItem: @escaping @Sendable (StoreReference<State>) -> MiddlewareItem) {
    self.makeItem = makeItem
  }

  /// Creates an item that does not read the state after all.
  public init(_ item: MiddlewareItem) {
    self.init { _ in item }
  }

  /// Returns the same item for work that nobody is to wait for, as ``MiddlewareItem/background()``
  /// does.
  public func background() -> StateItem {
    StateItem { store in makeItem(store).background() }
  }

  /// Creates an item for the actions of exactly one type that reads a part of the state.
  ///
  /// - Parameters:
  ///   - type: the type of the actions.
  ///   - selector: reads the part.
  ///   - handle: called with the action, a way to dispatch, and a reader of the part, which answers
  ///     what it is at that moment and contains the action. Both may be kept.
  /// - Returns: the item.
  public static func on<A: Action, Value>(
    _ type: A.Type, reading selector: @escaping @Sendable (State) -> Value,
    _ handle: @escaping @Sendable (_ action: A, DispatchFunction, StateReader<Value>) -> Void
  ) -> StateItem {
    StateItem { store in
      let part = StateReader(store, selector)
      return .on(type) { action, dispatch in handle(action, dispatch, part) }
    }
  }
}
