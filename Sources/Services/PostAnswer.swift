/// A post as servers send it.
struct PostAnswer: Decodable {
  let post: Post

  init(from decoder: any Decoder) throws {
    let fields = try PostAnswerFields(from: decoder)
    guard let id = fields.id else {
      throw fields.fields.missing(.id, expected: "a number or a string")
    }
    guard let title = fields.title else {
      throw fields.fields.missing(.title, expected: "a string")
    }
    // A post may well have no text: some servers then leave the field out.
    post = Post(id: id, userID: fields.userID, title: title, body: fields.body ?? "")
  }
}

/// What a server sends back of a post that it stored, which may be less than the post.
struct PostAnswerFields: Decodable {
  let id: RecordID?
  let userID: RecordID?
  let title: String?
  let body: String?
  let fields: AnswerFields<Key>

  enum Key: String, CodingKey {
    case id, title, body, userId, author
    case userIDInSnakeCase = "user_id"
  }

  init(from decoder: any Decoder) throws {
    fields = try AnswerFields(decoder, of: Key.self)
    id = try fields.identity(.id)
    userID = try fields.identity(.userId, .userIDInSnakeCase, .author)
    title = try fields.text(.title)
    body = try fields.text(.body)
  }
}
