import Services
public import Store

/// Changes the whole state of the app, each part by its own reducer.
public let appReducer = Reducer<AppState>.combine(
  usersReducer.scoped(to: \.users),
  postsReducer.scoped(to: \.posts)
)

/// Keeps the users as last received; a failure leaves them as they are.
public let usersReducer = Reducer<UsersState>.on(FetchUsers.self) { users, action in
  switch action {
  case .request:
    users.isLoading = true
    users.failure = nil
  case .success(let values):
    users = UsersState(values: values)
  case .failure(let error):
    users.isLoading = false
    users.failure = error
  }
}

/// Keeps the posts as last received, and those that the service confirmed since; a failure leaves
/// them as they are.
public let postsReducer = Reducer<PostsState>.combine(
  .on(FetchPosts.self) { posts, action in
    switch action {
    case .request:
      posts.isLoading = true
      posts.createdWhileLoading = []
      posts.failure = nil
    case .success(let values):
      posts.isLoading = false
      posts.values = values
      for post in posts.createdWhileLoading { posts.values.update(with: post) }
      posts.createdWhileLoading = []
    case .failure(let error):
      posts.isLoading = false
      posts.createdWhileLoading = []
      posts.failure = error
    }
  },
  .on(CreatePost.self) { posts, action in
    switch action {
    case .request:
      posts.creating += 1
      posts.creationFailure = nil
    case .success(let post):
      posts.creating = max(0, posts.creating - 1)
      posts.created = post
      posts.values.update(with: post)
      if posts.isLoading { posts.createdWhileLoading.update(with: post) }
    case .failure(let error):
      posts.creating = max(0, posts.creating - 1)
      posts.creationFailure = error
    }
  }
)

extension [Post] {
  /// Puts a post in the place of the one with its identity, or at the end.
  fileprivate mutating func update(with post: Post) {
    if let index = firstIndex(where: { $0.id == post.id }) {
      self[index] = post
    } else {
      append(post)
    }
  }
}
