import Services

/// Users and posts for tests, by name.
enum Sample {
  static let ada = User(id: 1, name: "Ada Lovelace", email: "ada@example.com")
  static let grace = User(id: 2, name: "Grace Hopper")

  static let first = Post(id: 1, userID: 1, title: "On engines", body: "They weave.")
  static let second = Post(id: 2, userID: 2, title: "On moths", body: "One was found.")
  static let third = Post(id: 3, userID: 1, title: "On notes", body: "See G.")

  static let draft = PostDraft(userID: 1, title: "On notes", body: "See G.")

  static let offline = DataServiceError.unreachable(reason: "no network")
  static let refused = DataServiceError.rejected(status: 422, message: "no title")
}
