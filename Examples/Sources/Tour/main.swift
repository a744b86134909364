import Middleware
import SideEffects
import Store

struct Archive: DataService {
  func fetchPosts() async throws(ServiceError) -> [Post] { [Post(id: 7, text: "The mill")] }

  func save(_ post: Post) async throws {
    if post.text.isEmpty { throw ServiceError(reason: "a post without text") }
  }
}

let store: Store<AppState> = Store(
  initialState: AppState(), reducer: appReducer,
  middleware: [
    logging,
    Middleware(wrapping: reSwiftMiddleware),
    createMiddleware(items: injectService(Archive(), into: sideEffects)),
    createMiddleware(items: [refreshWhenOpened()]),
  ])

final class Screen: Sendable {
  func show(_ count: Int) { print("posts:", count) }
}

let screen = Screen()
let token = store.subscribe({ $0.posts.values.count }) { count in screen.show(count) }
store.subscribe(screen, { $0.posts.values.count }) { $0.show($1) }
let log = store.subscribe(changesOf: { $0.posts.saved.count }) { print($0.old ?? 0, "→", $0.new) }
let posts = store.observed(\.posts.values)
let titles = MemoizedSelector(\AppState.posts.values) { $0.map(\.text) }
let titlesToken = store.subscribe(titles.select) { print("titles:", $0) }
let failures = Task {
  for await failure in store.values(of: \.posts.failure) {
    if let failure { return failure }
  }
  return "none"
}

await store.dispatch(PostOpened(postID: 7)).finish()
await store.dispatch(EditPost.edited(Post(id: 7, text: "The mill, by night"))).finish()
await store.dispatch(EditPost.edited(Post(id: 8, text: ""))).finish()
store.cancelEffects(.named("savePost", key: 7))
await store.idle()

print(store.state.posts)
print("failed:", await failures.value)
print("computed:", titles.recomputations, "shown:", posts.value)

let handle = store.dispatch(PostOpened(postID: 9))
handle.cancel()
await store.shutdown(grace: .seconds(5))
withExtendedLifetime((token, log, titlesToken)) {}
