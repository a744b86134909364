public import Store

/// Makes middleware of items, each of which follows the actions of its type.
///
/// ```swift
/// let middleware: Middleware<AppState> = createMiddleware(
///   items: injectService(RemoteDataService(baseURL: url), into: dataServiceSideEffects))
/// ```
///
/// The items are called in the order given, after the reducer. They have no place in the chain: it
/// makes no difference before or after which link this middleware stands.
public func createMiddleware<State>(items: [MiddlewareItem]) -> Middleware<State> {
  Middleware { store in items.map { $0.makeFollower(store) } }
}

/// Makes middleware of items that may read the state.
public func createMiddleware<State>(items: [StateItem<State>]) -> Middleware<State> {
  Middleware { store in items.map { $0.makeItem(store).makeFollower(store) } }
}
