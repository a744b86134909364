internal import FoundationEssentials

/// The dialect of JSONPlaceholder and of the many small servers modelled on it.
///
/// `GET users` and `GET posts` return arrays; `POST posts` stores one post and returns it.
enum JSONPlaceholder {
  static let usersPath = "users"
  static let postsPath = "posts"

  /// Reads the answer to `GET users`.
  static func users(from answer: ServerAnswer) throws(DataServiceError) -> [User] {
    try answer.checkStatus()
    return try answer.decode([UserAnswer].self, expected: "an array of users").map(\.user)
  }

  /// Reads the answer to `GET posts`.
  static func posts(from answer: ServerAnswer) throws(DataServiceError) -> [Post] {
    try answer.checkStatus()
    return try answer.decode([PostAnswer].self, expected: "an array of posts").map(\.post)
  }

  /// Returns the body of `POST posts`.
  static func body(of draft: PostDraft) throws(DataServiceError) -> [UInt8] {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return [UInt8](try encoder.encode(DraftBody(draft: draft)))
    } catch {
      throw .invalidRequest(reason: "the post cannot be written as JSON (\(error))")
    }
  }

  /// Reads the answer to `POST posts`.
  ///
  /// What the server does not repeat of the post is as it was sent. The identity may come from the
  /// answer or, where the answer is empty, from its `Location`.
  static func createdPost(
    from answer: ServerAnswer, draft: PostDraft
  ) throws(DataServiceError) -> Post {
    try answer.checkStatus()
    do throws(DataServiceError) {
      let stored =
        answer.isEmpty
        ? nil : try answer.decode(PostAnswerFields.self, expected: "the post that was stored")
      guard let id = stored?.id ?? identity(in: answer.location) else {
        throw answer.unreadable("expected the new post's identity, found none")
      }
      return Post(
        id: id, userID: stored?.userID ?? draft.userID, title: stored?.title ?? draft.title,
        body: stored?.body ?? draft.body)
    } catch {
      // The status says that it went well: sending the post again could make a second one.
      guard case .badResponse(let location, let reason, _) = error else { throw error }
      throw .badResponse(location: location, reason: reason, isOutcomeOpen: true)
    }
  }

  /// Returns the identity at the end of a created post's address, such as `…/posts/101`.
  private static func identity(in location: String?) -> RecordID? {
    guard let path = location.flatMap({ URLComponents(string: $0)?.path }) else { return nil }
    let segments = path.split(separator: "/")
    guard segments.count >= 2, segments[segments.count - 2] == postsPath,
      let last = segments.last.map(String.init)
    else { return nil }
    // "007" is no number that would be written back in the same way.
    guard let number = Int64(last), String(number) == last else { return .text(last) }
    return .number(number)
  }

  private struct DraftBody: Encodable {
    var draft: PostDraft

    private enum Key: String, CodingKey {
      case userId, title, body
    }

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Key.self)
      switch draft.userID {
      case .number(let number): try fields.encode(number, forKey: .userId)
      case .text(let text): try fields.encode(text, forKey: .userId)
      case nil: break
      }
      try fields.encode(draft.title, forKey: .title)
      try fields.encode(draft.body, forKey: .body)
    }
  }
}
