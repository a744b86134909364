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
  Middleware { store, _ in items.map { $0.makeFollower(store) } }
}

/// Makes middleware of items that may read the state.
public func createMiddleware<State>(items: [StateItem<State>]) -> Middleware<State> {
  Middleware { store, state in items.map { $0.makeItem(state).makeFollower(store) } }
}

/// Gives one service to many makers of items.
///
/// ```swift
/// let dataServiceSideEffects = [fetchUsers, fetchPosts, createPost]  // (any DataService) -> MiddlewareItem
/// let items = injectService(FakeDataService(), into: dataServiceSideEffects)
/// ```
///
/// Several services compose: lists made with different ones are added, and a maker that needs two,
/// written `(A) -> (B) -> MiddlewareItem`, is given one after the other.
public func injectService<Service, Item>(
  _ service: Service, into receivers: [(Service) -> Item]
) -> [Item] {
  receivers.map { $0(service) }
}
