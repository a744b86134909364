/// Why a service could not do what it was asked.
public enum DataServiceError: Error, Hashable, Sendable {
  /// The service could not be reached: name, connection or certificate. `reason` says which.
  case unreachable(reason: String)
  /// A time limit ended the request. `reason` says which limit, and after how long.
  case timedOut(reason: String)
  /// The service wants credentials, or refuses the ones it was given.
  case unauthorized(status: Int, message: String)
  /// The service answered with an error status.
  case rejected(status: Int, message: String)
  /// The service answered with something that is not what was asked for.
  ///
  /// `location` is the element and path in the answer, such as `[3].userId`, or what was received;
  /// `reason` says what was expected and what was found.
  case badResponse(location: String, reason: String)
  /// The request could not be made as asked: a bad URL, an empty title.
  case invalidRequest(reason: String)
  /// The file of a local service cannot be used. `reason` says why and what would help.
  case storage(path: String, reason: String)
  /// The task that asked was cancelled. Nobody is waiting for this answer; do not report it.
  case cancelled
}
