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

await store.dispatch(PostOpened(postID: 7)).finish()
await store.dispatch(EditPost.edited(Post(id: 7, text: "The mill, by night"))).finish()
await store.dispatch(EditPost.edited(Post(id: 8, text: ""))).finish()
store.cancelEffects(.named("savePost", key: 7))
await store.idle()

print(store.state.posts)
