public import Services
public import SideEffects

/// Asks for all users, and tells how that went.
public enum FetchUsers: RequestAction, Hashable {
  /// The users are wanted.
  case request
  /// The service answered with these.
  case success([User])
  /// The service could not answer.
  case failure(DataServiceError)

  /// Nothing, for the request.
  public var input: Void? { if case .request = self { () } else { nil } }
}

/// Asks for all posts, and tells how that went.
public enum FetchPosts: RequestAction, Hashable {
  /// The posts are wanted.
  case request
  /// The service answered with these.
  case success([Post])
  /// The service could not answer.
  case failure(DataServiceError)

  /// Nothing, for the request.
  public var input: Void? { if case .request = self { () } else { nil } }
}

/// Asks to store a post, and tells how that went.
public enum CreatePost: RequestAction, Hashable {
  /// This post is to be stored.
  case request(PostDraft)
  /// The service confirmed it, as this.
  case success(Post)
  /// The service did not confirm it.
  case failure(DataServiceError)

  /// The post to be stored, for the request.
  public var input: PostDraft? { if case .request(let draft) = self { draft } else { nil } }
}
