import Middleware
import Posts
import Services
import Store

/// The store of one run of postsctl, and what a command asks of it.
///
/// Each call dispatches a request, waits until everything that follows from it is done, and reads
/// the answer out of the state.
struct Session: Sendable {
  private let store: Store<AppState>

  /// Makes a store whose effects use a service.
  init(
    service: any DataService,
    effects: ServiceReceivers<any DataService, MiddlewareItem> = dataServiceSideEffects
  ) {
    store = Store(
      initialState: AppState(),
      reducer: appReducer,
      middleware: [createMiddleware(items: injectService(service, into: effects))])
  }

  /// Returns every user of the service.
  func fetchUsers() async throws(DataServiceError) -> [User] {
    await store.dispatch(FetchUsers.request).finish()
    let users = store.state.users
    if let failure = users.failure { throw failure }
    // Without this, a request that nothing answered would look like a service without users.
    guard !users.isLoading else { throw .cancelled }
    return users.values
  }

  /// Returns every post of the service.
  func fetchPosts() async throws(DataServiceError) -> [Post] {
    await store.dispatch(FetchPosts.request).finish()
    let posts = store.state.posts
    if let failure = posts.failure { throw failure }
    guard !posts.isLoading else { throw .cancelled }
    return posts.values
  }

  /// Stores a post in the service and returns it as the service confirmed it.
  func createPost(_ draft: PostDraft) async throws(DataServiceError) -> Post {
    await store.dispatch(CreatePost.request(draft)).finish()
    let posts = store.state.posts
    if let failure = posts.creationFailure { throw failure }
    guard let post = posts.created else { throw .cancelled }
    return post
  }
}
