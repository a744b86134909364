import Middleware
import SideEffects
import Store

let logging = Middleware<AppState> { action, context, next in
  print(context.identity, action)
  return next(action)
}

let reSwiftMiddleware: Middleware<AppState>.ReSwiftMiddleware = { dispatch, getState in
  { next in
    { action in
      next(action)
      print("posts:", getState()?.posts.values.count ?? 0)
    }
  }
}

func savePost(dataService: any DataService) -> MiddlewareItem {
  .effect(on: EditPost.self, for: \.edited, key: \.id, .latest) { post, effect in
    try await dataService.save(post)
    effect.dispatch(EditPost.saved(post.id))
  }
}

func fetchPosts(dataService: any DataService) -> MiddlewareItem {
  .request(FetchPosts.self, .latest, dataService.fetchPosts)
}

func refreshWhenOpened() -> StateItem<AppState> {
  .effect(on: PostOpened.self, reading: \.posts.values) { opened, effect, posts in
    guard let posts = posts() else { return }
    if !posts.contains(where: { $0.id == opened.postID }) { effect.dispatch(FetchPosts.request) }
  }
}

let sideEffects: ServiceReceivers<any DataService, MiddlewareItem> = [
  savePost(dataService:), fetchPosts(dataService:),
]
