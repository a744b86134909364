import SideEffects
import Store

struct Post: Equatable { var id: Int, text: String }

struct AppState: Equatable {
  var posts = PostsState()
}

struct PostsState: Equatable {
  var values: [Post] = []
  var saved: Set<Int> = []
  var failure: String?
}

struct PostOpened: Action { var postID: Int }

enum EditPost: Action {
  case edited(Post)
  case saved(Int)

  var edited: Post? { if case .edited(let post) = self { post } else { nil } }
}

enum FetchPosts: RequestAction {
  case request, success([Post]), failure(ServiceError)

  var input: Void? { if case .request = self { () } else { nil } }
}

struct ServiceError: Error { var reason: String }

protocol DataService: Sendable {
  func fetchPosts() async throws(ServiceError) -> [Post]
  func save(_ post: Post) async throws
}

let postsReducer = Reducer<PostsState>.combine(
  .on(FetchPosts.self) { posts, action in
    switch action {
    case .request: posts.failure = nil
    case .success(let values): posts.values = values
    case .failure(let error): posts.failure = error.reason
    }
  },
  .on(EditPost.self) { posts, action in
    if case .saved(let id) = action { posts.saved.insert(id) }
  },
  .on(EffectFailed.self) { posts, failure in posts.failure = "\(failure.name): \(failure.error)" }
)

let appReducer = Reducer<AppState>.combine(postsReducer.scoped(to: \.posts))
