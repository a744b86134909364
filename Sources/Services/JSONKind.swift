/// What a JSON value is, for a message about one that is not what was expected.
enum JSONKind: String, Decodable {
  case null = "null"
  case boolean = "true or false"
  case number = "a number"
  case string = "a string"
  case array = "an array"
  case object = "an object"

  init(from decoder: any Decoder) throws {
    if (try? decoder.unkeyedContainer()) != nil {
      self = .array
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if (try? value.decode(Bool.self)) != nil {
      self = .boolean
    } else if (try? value.decode(String.self)) != nil {
      self = .string
    } else if (try? decoder.container(keyedBy: AnyKey.self)) != nil {
      self = .object
    } else {
      // Tried last, because a number may be too large for any type.
      self = .number
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }
}
