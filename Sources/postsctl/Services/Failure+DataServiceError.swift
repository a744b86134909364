import CurlHTTP
import Services

extension Failure {
  /// Explains what a service could not do: what happened, and one thing to do about it.
  ///
  /// - Parameters:
  ///   - error: What happened.
  ///   - task: What was to be done, to stand after "cannot".
  ///   - service: Where.
  ///   - changes: Whether it was a post that was to be created.
  init(
    _ error: DataServiceError, task: String, service: ServiceConfiguration, changes: Bool
  ) {
    // Where the post may be stored, every other advice would lead to a second one.
    let advice =
      changes && error.leavesCreationOpen
      ? error.adviceWhileOpen : error.advice(for: service)
    self.init(
      exitCode: ExitCode(error),
      message: (["cannot \(task): \(Self.sentence(error.reason(at: service)))", advice] as [String?])
        .compactMap { $0 }.joined(separator: " "))
  }

  private static func sentence(_ text: String) -> String {
    guard let last = text.last, !".!?…".contains(last) else { return text }
    return text + "."
  }
}

extension ExitCode {
  /// The exit code that says what kind of error it was.
  fileprivate init(_ error: DataServiceError) {
    self =
      switch error {
      case .unreachable: .unreachable
      case .timedOut: .timedOut
      case .unauthorized: .unauthorized
      case .rejected(300..<400, _): .redirect
      case .rejected(400..<500, _): .clientError
      case .rejected(500..., _): .serverError
      case .rejected, .badResponse: .badResponse
      case .invalidRequest: .usage
      case .storage: .badFile
      case .diskFailure: .outputFailed
      case .internalFailure, .cancelled: .internalFault
      }
  }
}

extension DataServiceError {
  /// What happened and where, as a sentence that may lack its end.
  fileprivate func reason(at service: ServiceConfiguration) -> String {
    switch self {
    // It names the host and the port, or the certificate, and that is all there is to know.
    case .unreachable(let reason, _, _): reason
    case .timedOut(let reason, _): "\(service.description) did not answer in time: \(reason)"
    case .unauthorized(let status, let message), .rejected(let status, let message):
      "\(service.description) answered with status \(status)"
        + (message.isEmpty ? "" : ": \(message)")
    case .badResponse(let location, let reason, _):
      "\(service.description) answered with something else than was asked for. "
        + "\(location): \(reason)"
    case .invalidRequest(let reason), .internalFailure(let reason, _): reason
    case .storage(let path, let reason): "the database '\(path)' cannot be used: \(reason)"
    case .diskFailure(let path, let reason, _):
      "the database '\(path)' cannot be read or written: \(reason)"
    case .cancelled: "it was cancelled, which nothing here asks for"
    }
  }

  /// What to do, where the reason does not say it already.
  fileprivate func advice(for service: ServiceConfiguration) -> String? {
    switch self {
    case .unreachable: service.urlAdvice(nil)
    case .timedOut:
      "More time can be allowed with --timeout SECONDS."
    case .unauthorized:
      "If the server wants a user name and a password, put them into the URL in POSTSCTL_URL."
    case .rejected(404, _):
      service.urlAdvice(service.pathAdvice)
    case .rejected(408, _), .rejected(429, _), .rejected(500..., _):
      "The fault is not in the request: try again later, or ask those who run the server."
    case .rejected(300..<400, _):
      "Use the URL that the server redirects to."
    case .rejected:
      "The server does not accept the request: ask those who run it what it expects."
    case .badResponse:
      service.urlAdvice("Is it a server of users and posts?")
    case .storage:
      service.databaseAdvice
    case .internalFailure, .cancelled:
      "This is a fault of postsctl: please report it."
    case .invalidRequest, .diskFailure:
      nil
    }
  }

  /// What to do where a post may have been stored.
  fileprivate var adviceWhileOpen: String {
    let look =
      "The post may be stored all the same: look with 'postsctl fetch-posts' before you try again"
    return switch self {
    case .rejected(300..<400, _): "\(look), with the URL that the server redirects to."
    default: "\(look)."
    }
  }
}

extension ServiceConfiguration {
  /// Adds to an advice about a server where its URL comes from.
  fileprivate func urlAdvice(_ advice: String?) -> String? {
    guard case .remote(_, let source, _) = self else { return advice }
    return (advice.map { $0 + " " } ?? "") + "The URL comes from \(source.rawValue)."
  }

  /// What to do about a path where nothing is.
  fileprivate var pathAdvice: String {
    if case .remote(let url, _, _) = self, let last = url.path.split(separator: "/").last,
      ["posts", "users"].contains(last)
    {
      return "Leave off /\(last): it is added to the URL."
    }
    return "Is its path right? Users and posts are looked for below it, at /users and /posts."
  }

  /// How to use another database, for someone who did not name one.
  fileprivate var databaseAdvice: String? {
    guard case .local(_, isDefault: true) = self else { return nil }
    return "Another file can be named with --database FILE."
  }
}
