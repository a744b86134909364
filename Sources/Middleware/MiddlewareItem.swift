public import Store

/// One thing to do after the actions of one type: a value that is given to
/// `createMiddleware(items:)`.
///
/// ```swift
/// let greetNewUser = MiddlewareItem.on(UserCreated.self) { action, dispatch in
///   dispatch(MessageSent(to: action.userID, text: "Welcome"))
/// }
/// ```
///
/// An item is called once for each action of its type that reached the reducer, after the reducer
/// saw it, in the order in which the items were given, with the observers of that action told
/// before. An item for another type costs nothing.
///
/// It runs on the thread that follows up. One that blocks this thread holds up the observers, items
/// and effects of all later actions, whoever dispatches them; it holds up no reducer. So work that
/// waits belongs into an effect, which may throw or suspend and stops no other item by that.
public struct MiddlewareItem: Sendable {
  package let makeFollower: @Sendable (any StoreReferencing) -> any Follower

  package init(makeFollower: @escaping @Sendable (any StoreReferencing) -> any Follower) {
    self.makeFollower = makeFollower
  }

  /// Creates an item for every action, of whatever type.
  public init(_ handle: @escaping @Sendable (_ action: any Action, DispatchFunction) -> Void) {
    self.init { store in
      ItemFollower(store: store, isTyped: false) { _ in handle }
    }
  }

  /// Creates an item for the actions of exactly one type.
  public static func on<A: Action>(
    _ type: A.Type, _ handle: @escaping @Sendable (_ action: A, DispatchFunction) -> Void
  ) -> MiddlewareItem {
    MiddlewareItem { store in
      ItemFollower(store: store) { candidate in
        guard candidate == type else { return nil }
        return { action, dispatch in
          // The store routes by exact type, so it is one.
          guard let action = action.exactly(type) else { return }
          handle(action, dispatch)
        }
      }
    }
  }
}

extension MiddlewareItem {
  /// Returns the same item for work that nobody is to wait for: `finish()`, `idle()` and
  /// `shutdown(grace:)` go by as if it were not there.
  ///
  /// It is meant for effects that go on as long as the store does, such as one that listens to a
  /// server. They are cancelled like any other, and when the store is shut down or released. A
  /// plain item has nothing to wait for, and stays as it is.
  public func background() -> MiddlewareItem {
    MiddlewareItem { store in makeFollower(store).inBackground() }
  }
}

/// A plain item at work in one store.
private final class ItemFollower: Follower {
  typealias Handle = @Sendable (any Action, DispatchFunction) -> Void

  let store: any StoreReferencing
  let isTyped: Bool
  let handle: @Sendable (any Action.Type) -> Handle?

  init(
    store: any StoreReferencing, isTyped: Bool = true,
    handle: @escaping @Sendable (any Action.Type) -> Handle?
  ) {
    self.store = store
    self.isTyped = isTyped
    self.handle = handle
  }

  func handler(for type: any Action.Type) -> FollowUpHandler? {
    guard let handle = handle(type) else { return nil }
    return FollowUpHandler(isTyped: isTyped) { [store] action, identity in
      FollowUpCall { lineage in
        handle(
          action,
          DispatchFunction(store: store, sender: Sender(handling: identity, lineage: lineage)))
      }
    }
  }

  func inBackground() -> any Follower { self }

  func silence(
    workFor completion: Completion?, starting starts: inout [any FollowUp]
  ) -> [@Sendable () -> Void] { [] }

  func storeWillEnd() {}
}
