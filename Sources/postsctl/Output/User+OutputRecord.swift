import Services

extension User: OutputRecord {
  static var fields: [OutputField<User>] {
    [
      OutputField(name: "id", heading: "ID") { JSONValue($0.id) },
      OutputField(name: "name", heading: "NAME") { .string($0.name) },
      OutputField(name: "firstName", heading: nil) { JSONValue($0.firstName) },
      OutputField(name: "lastName", heading: nil) { JSONValue($0.lastName) },
      OutputField(name: "username", heading: "USERNAME") { JSONValue($0.username) },
      OutputField(name: "email", heading: "EMAIL") { JSONValue($0.email) },
      OutputField(name: "phone", heading: "PHONE") { JSONValue($0.phone) },
      OutputField(name: "website", heading: "WEBSITE") { JSONValue($0.website) },
    ]
  }
}
