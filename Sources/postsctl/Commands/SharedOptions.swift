import CurlHTTP

/// The options that every command takes.
struct SharedOptions: Sendable {
  static let output = Option<OutputFormat>(
    choice: "output", valueName: "FORMAT", summary: "Print as 'table' (default) or 'json'.")
  static let url = Option<HTTPURL>(
    "url", valueName: "URL",
    summary: "Use the server at this http or https URL instead of the database."
  ) { (text) throws(InvalidValue) in try HTTPURL(argument: text) }
  static let timeout = Option<Duration>(
    "timeout", valueName: "SECONDS",
    summary: "Give up on a server after this many seconds, such as 5 or 0.5."
  ) { (text) throws(InvalidValue) in try Duration(seconds: text) }
  static let database = Option<String>(
    "database", valueName: "FILE",
    summary: "Use this database instead of your default one; a new one is created."
  ) { (text) throws(InvalidValue) in
    guard !text.isEmpty else { throw InvalidValue("expected the path of a file") }
    return text
  }

  static let declarations = [
    output.declaration, url.declaration, timeout.declaration, database.declaration,
  ]

  /// How to print.
  let format: OutputFormat
  /// The server, if one was named.
  let url: HTTPURL?
  /// The total time limit of a request, if one was given.
  let timeout: Duration?
  /// The path of the database, if one was named.
  let database: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    format = try arguments.value(of: Self.output) ?? .table
    url = try arguments.value(of: Self.url)
    timeout = try arguments.value(of: Self.timeout)
    database = try arguments.value(of: Self.database)
    guard url == nil || database == nil else {
      throw UsageError(
        message: "--url and --database exclude each other: a command uses one service.",
        command: arguments.command.name)
    }
  }
}
