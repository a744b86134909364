import Services

extension Failure {
  /// Explains what a service could not do.
  ///
  /// This is the only place that decides the exit code and the remedy.
  init(
    _ error: DataServiceError, task: String, service: ServiceConfiguration, changes: Bool
  ) {
    var sentences = ["cannot \(task): \(Self.sentence(error.reason(at: service)))"]
    if changes, error.leavesOutcomeOpen {
      sentences.append(
        "The post may be stored all the same: look with 'postsctl fetch-posts' before you try "
          + "again.")
    }
    if let remedy = error.remedy { sentences.append(remedy) }
    self.init(exitCode: error.exitCode, message: sentences.joined(separator: " "))
  }

  private static func sentence(_ text: String) -> String {
    guard let last = text.last, !".!?…".contains(last) else { return text }
    return text + "."
  }
}

extension DataServiceError {
  /// The exit code that says what kind of error it was.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .unreachable: .unreachable
    case .timedOut: .timedOut
    case .unauthorized: .unauthorized
    case .rejected(300..<400, _): .redirect
    case .rejected(400..<500, _): .clientError
    case .rejected(500..., _): .serverError
    case .rejected, .badResponse: .badResponse
    case .invalidRequest: .usage
    case .storage: .badFile
    case .cancelled: .internalFault
    }
  }
}

extension DataServiceError {
  /// What happened, as a sentence without its end.
  fileprivate func reason(at service: ServiceConfiguration) -> String {
    switch self {
    case .unreachable(let reason): "\(service.description) cannot be reached: \(reason)"
    case .timedOut(let reason): "\(service.description) did not answer in time: \(reason)"
    case .unauthorized(let status, let message), .rejected(let status, let message):
      "\(service.description) answered with status \(status)"
        + (message.isEmpty ? "" : ": \(message)")
    case .badResponse(let location, let reason):
      "\(service.description) answered with something else than was asked for. "
        + "\(location): \(reason)"
    case .invalidRequest(let reason): reason
    case .storage(let path, let reason): "the database '\(path)' cannot be used: \(reason)"
    case .cancelled: "it was cancelled, which nothing here asks for"
    }
  }

  /// What to try, where the reason does not say it already.
  fileprivate var remedy: String? {
    switch self {
    case .unreachable:
      "Check that the URL, which comes from --url or POSTSCTL_URL, is the right one."
    case .timedOut:
      "More time can be allowed with --timeout SECONDS."
    case .unauthorized:
      "If the server wants a user name and a password, put them into the URL in POSTSCTL_URL."
    case .rejected(404, _):
      "Check the path of the URL: users and posts are looked for below it, at /users and /posts."
    case .rejected(500..., _):
      "The fault is the server's: try again later, or ask those who run it."
    case .rejected(300..<400, _):
      "Use the URL that the server redirects to."
    case .rejected:
      "The server does not accept the request: ask those who run it what it expects."
    case .badResponse:
      "Check that the URL is that of a server of users and posts, and not of its web pages."
    case .storage:
      "Another file can be named with --database FILE."
    case .cancelled:
      "This is a fault of postsctl: please report it."
    case .invalidRequest:
      nil
    }
  }

  /// Whether a request that ended this way may have been carried out, and the reason is silent
  /// about it.
  ///
  /// Where the connection or the answer leaves it open, the service says so itself.
  fileprivate var leavesOutcomeOpen: Bool {
    switch self {
    case .rejected(500..., _): true
    case .timedOut, .badResponse, .cancelled, .unreachable, .unauthorized, .rejected,
      .invalidRequest, .storage:
      false
    }
  }
}
