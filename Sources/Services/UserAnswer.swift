/// A user as servers send it.
struct UserAnswer: Decodable {
  let user: User

  private enum Key: String, CodingKey {
    case id, name, username, email, phone, website
    case firstName, lastName
    case firstNameInSnakeCase = "first_name"
    case lastNameInSnakeCase = "last_name"
  }

  init(from decoder: any Decoder) throws {
    let fields = try AnswerFields(decoder, of: Key.self)
    guard let id = try fields.identity(.id) else {
      throw fields.missing(.id, expected: "a number or a string")
    }
    let firstName = try fields.text(.firstName, .firstNameInSnakeCase)
    let lastName = try fields.text(.lastName, .lastNameInSnakeCase)
    let parts = [firstName, lastName].compactMap(\.self)
    let fullName = parts.isEmpty ? nil : parts.joined(separator: " ")
    guard let name = try fields.text(.name) ?? fullName else {
      throw fields.missing(.name, expected: "a name, or a first and a last name")
    }
    user = User(
      id: id, name: name, firstName: firstName, lastName: lastName,
      username: try fields.text(.username), email: try fields.text(.email),
      phone: try fields.text(.phone), website: try fields.text(.website))
  }
}
