public import Services

/// What an app about users and posts knows.
public struct AppState: Hashable, Sendable {
  /// The users, and how asking for them goes.
  public var users: UsersState
  /// The posts, and how asking for them and adding to them goes.
  public var posts: PostsState

  /// Creates a state; without arguments, that of an app which has not asked for anything yet.
  public init(users: UsersState = UsersState(), posts: PostsState = PostsState()) {
    self.users = users
    self.posts = posts
  }
}

/// The users, and how asking for them goes.
public struct UsersState: Hashable, Sendable {
  /// The users as last received, in the service's order.
  public var values: [User]
  /// Whether a request is under way.
  public var isLoading: Bool
  /// Why the last request failed, until another is made.
  public var failure: DataServiceError?

  /// Creates a state; without arguments, an empty one.
  public init(
    values: [User] = [], isLoading: Bool = false, failure: DataServiceError? = nil
  ) {
    self.values = values
    self.isLoading = isLoading
    self.failure = failure
  }
}

/// The posts, and how asking for them and adding to them goes.
public struct PostsState: Hashable, Sendable {
  /// The posts as last received, in the service's order, and then those created since.
  public var values: [Post]
  /// Whether a request for the posts is under way.
  public var isLoading: Bool
  /// How many posts were sent to the service and neither confirmed nor refused yet.
  public var creating: Int
  /// The post that the service confirmed last.
  public var created: Post?
  /// Why the last request for all posts failed, until another is made.
  public var failure: DataServiceError?
  /// Why the last post was not stored, until another is sent.
  public var creationFailure: DataServiceError?
  /// The posts confirmed since the request for all posts that is under way was made.
  ///
  /// Its answer may have been put together before them; they are added to it.
  var createdWhileLoading: [Post] = []

  /// Creates a state; without arguments, an empty one.
  public init(
    values: [Post] = [], isLoading: Bool = false, creating: Int = 0, created: Post? = nil,
    failure: DataServiceError? = nil, creationFailure: DataServiceError? = nil
  ) {
    self.values = values
    self.isLoading = isLoading
    self.creating = creating
    self.created = created
    self.failure = failure
    self.creationFailure = creationFailure
  }
}
