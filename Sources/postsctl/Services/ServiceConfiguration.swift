import CurlHTTP

/// Which service a command uses.
///
/// A flag beats the environment, and the environment the default.
enum ServiceConfiguration: Hashable, Sendable {
  /// A server, where its URL stands, and the total time limit of a request if one was given.
  case remote(HTTPURL, from: URLSource, timeout: Duration?)
  /// A database of this user's own, and whether it is the one nobody has to name.
  case local(path: String, isDefault: Bool)

  /// Chooses the service.
  init(options: SharedOptions, environment: [String: String]) throws(Failure) {
    if let path = options.database {
      self = .local(path: path, isDefault: false)
    } else if let url = options.url {
      self = .remote(url, from: .option, timeout: options.timeout)
    } else if let text = Self.value(of: "POSTSCTL_URL", in: environment) {
      self = .remote(
        try Self.url(fromEnvironment: text), from: .environment, timeout: options.timeout)
    } else {
      self = .local(path: try Self.defaultDatabase(environment), isDefault: true)
    }
  }

  /// Where the URL of a server was found, by the name that a person gave it there.
  enum URLSource: String, Sendable {
    /// The option.
    case option = "--url"
    /// The environment variable.
    case environment = "POSTSCTL_URL"
  }

  /// What to call the service in a message.
  var description: String {
    switch self {
    case .remote(let url, _, _): url.description
    case .local(let path, _): path
    }
  }
}

extension ServiceConfiguration {
  /// An empty variable counts as one that is not set, as everywhere in the XDG specification.
  private static func value(of name: String, in environment: [String: String]) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whoever keeps a URL in the environment may do so because of a secret in it, perhaps in its
  /// path, so that no message repeats it.
  private static func url(fromEnvironment text: String) throws(Failure) -> HTTPURL {
    do throws(InvalidValue) {
      return try HTTPURL(checking: text)
    } catch {
      throw Failure(
        exitCode: .badConfiguration,
        message: "the environment variable POSTSCTL_URL cannot be used: \(error.reason). "
          + "Correct or unset it, or name the server with --url URL.")
    }
  }

  /// The database in the user's data folder, by the XDG Base Directory Specification.
  ///
  /// The specification says to ignore a path that is not absolute.
  private static func defaultDatabase(_ environment: [String: String]) throws(Failure) -> String {
    let file = "/postsctl/posts.db"
    if let folder = value(of: "XDG_DATA_HOME", in: environment), folder.hasPrefix("/") {
      return folder + file
    }
    if let home = value(of: "HOME", in: environment), home.hasPrefix("/") {
      return home + "/.local/share" + file
    }
    throw Failure(
      exitCode: .badConfiguration,
      message: "there is no folder for the database, because the environment variable HOME is not "
        + "set to an absolute path. Set it, or name a file with --database FILE.")
  }
}
