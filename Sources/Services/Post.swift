/// A post as a service keeps it.
public struct Post: Hashable, Identifiable, Sendable {
  /// The identity given by the service.
  public var id: RecordID
  /// The user who wrote the post, where the service said so.
  public var userID: RecordID?
  /// The title, as plain text.
  public var title: String
  /// The text, which may have several lines.
  public var body: String

  /// Creates a post.
  public init(id: RecordID, userID: RecordID? = nil, title: String, body: String) {
    self.id = id
    self.userID = userID
    self.title = title
    self.body = body
  }
}

/// A post that no service has confirmed yet, and which therefore has no identity.
public struct PostDraft: Hashable, Sendable {
  /// The user in whose name to post, or nil to leave it to the service.
  public var userID: RecordID?
  /// The title, as plain text.
  public var title: String
  /// The text, which may have several lines.
  public var body: String

  /// Creates a draft.
  public init(userID: RecordID? = nil, title: String, body: String) {
    self.userID = userID
    self.title = title
    self.body = body
  }
}
