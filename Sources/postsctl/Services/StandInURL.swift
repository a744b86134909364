struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
  var description: String
  init(argument: String) throws(InvalidValue) { self = try HTTPURL(checking: argument) }
  init(checking argument: String) throws(InvalidValue) {
    guard argument.hasPrefix("http://") || argument.hasPrefix("https://") else {
      throw InvalidValue("expected an http or https URL, such as https://example.com")
    }
    description = argument
  }
}
