extension FakeDataService {
  /// Creates a service that keeps users and posts in memory.
  ///
  /// It behaves like ``LocalDataService``: a created post comes back from ``fetchPosts()``, its
  /// identity is one more than the largest so far, and a blank title is refused.
  ///
  /// - Parameters:
  ///   - users: The users it has.
  ///   - posts: The posts it begins with.
  public convenience init(users: [User] = [], posts: [Post] = []) {
    let stored = Stored(posts)
    self.init(
      fetchUsers: { _ in users },
      fetchPosts: { _ in stored.posts },
      createPost: { draft, _ throws(DataServiceError) in try stored.add(draft) })
  }

  /// Returns a service that follows a script.
  ///
  /// Each call takes the next result of its kind; the last one repeats. A call of a kind without
  /// results fails and says so.
  ///
  /// - Parameters:
  ///   - fetchUsers: The results of ``fetchUsers()``.
  ///   - fetchPosts: The results of ``fetchPosts()``.
  ///   - createPost: The results of ``createPost(_:)``.
  /// - Returns: A service at the beginning of its script.
  public static func scripted(
    fetchUsers: [Result<[User], DataServiceError>] = [],
    fetchPosts: [Result<[Post], DataServiceError>] = [],
    createPost: [Result<Post, DataServiceError>] = []
  ) -> FakeDataService {
    FakeDataService(
      fetchUsers: { call throws(DataServiceError) in
        try result(call, of: fetchUsers, label: "fetchUsers")
      },
      fetchPosts: { call throws(DataServiceError) in
        try result(call, of: fetchPosts, label: "fetchPosts")
      },
      createPost: { _, call throws(DataServiceError) in
        try result(call, of: createPost, label: "createPost")
      })
  }

  private static func result<Value>(
    _ call: Int, of script: [Result<Value, DataServiceError>], label: String
  ) throws(DataServiceError) -> Value {
    guard let last = script.last else {
      throw .invalidRequest(
        reason: "the fake service has no result scripted for \(label). "
          + "Give it one: .scripted(\(label): [.success(…)]).")
    }
    return try (call < script.count ? script[call] : last).get()
  }

  /// The posts of a service that keeps them in memory.
  private final class Stored: Sendable {
    private let state: Lock<[Post]>

    init(_ posts: [Post]) { state = Lock(posts) }

    var posts: [Post] { state.withLock { $0 } }

    func add(_ draft: PostDraft) throws(DataServiceError) -> Post {
      try draft.checkTitle()
      return state.withLock { posts in
        let largest = posts.reduce(Int64(0)) { largest, post in
          guard case .number(let number) = post.id else { return largest }
          return max(largest, number)
        }
        let post = Post(
          id: .number(largest + 1), userID: draft.userID, title: draft.title, body: draft.body)
        posts.append(post)
        return post
      }
    }
  }
}
