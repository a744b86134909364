import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// Shows the change at once, and takes it back when the service refuses it.
private struct Like: Action, Equatable { var isLiked: Bool }
private struct LikeFailed: Action, Equatable { var wasLiked: Bool }

private struct Post: Equatable {
  var isLiked = false
}

private let postReducer = Reducer<Post>.combine(
  .on(Like.self) { post, like in post.isLiked = like.isLiked },
  .on(LikeFailed.self) { post, failed in post.isLiked = failed.wasLiked }
)

private func saveLike(isRefused: Bool) -> MiddlewareItem {
  .effect(on: Like.self, .latest) { like, effect in
    try await effect.sleep(for: .seconds(1))
    if isRefused { effect.dispatch(LikeFailed(wasLiked: !like.isLiked)) }
  }
}

private func makeStore(isRefused: Bool) -> TestStore<Post> {
  TestStore(
    initialState: Post(), reducer: postReducer,
    middleware: [createMiddleware(items: [saveLike(isRefused: isRefused)])])
}

@Test func `optimistic update: what the service takes stays`() async {
  let store = makeStore(isRefused: false)
  await store.send(Like(isLiked: true)) { $0.isLiked = true }
  await store.clock.advance(by: .seconds(1))
  await store.finish()
}

@Test func `optimistic update: what the service refuses is taken back`() async {
  let store = makeStore(isRefused: true)
  await store.send(Like(isLiked: true)) { $0.isLiked = true }
  await store.clock.advance(by: .seconds(1))
  await store.receive(LikeFailed(wasLiked: false)) { $0.isLiked = false }
  await store.finish()
}
