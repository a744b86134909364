import CurlHTTP

/// Which service a command uses.
///
/// A flag beats the environment, and the environment the default.
enum ServiceConfiguration: Hashable, Sendable {
  /// A server, and the total time limit of a request to it if one was given.
  case remote(HTTPURL, timeout: Duration?)
  /// A database of this user's own.
  case local(path: String)

  /// Chooses the service.
  init(options: SharedOptions, environment: [String: String]) throws(Failure) {
    if let path = options.database {
      self = .local(path: path)
    } else if let url = options.url {
      self = .remote(url, timeout: options.timeout)
    } else if let text = Self.value(of: "POSTSCTL_URL", in: environment) {
      self = .remote(try Self.url(fromEnvironment: text), timeout: options.timeout)
    } else {
      self = .local(path: try Self.defaultDatabase(environment))
    }
  }

  /// What to call the service in a message.
  var description: String {
    switch self {
    case .remote(let url, _): url.description
    case .local(let path): path
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
