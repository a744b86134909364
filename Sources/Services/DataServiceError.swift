/// Why a service could not do what it was asked.
///
/// The texts are for people. What a program has to know is in the case and its other values:
/// ``isTransient``, and ``leavesCreationOpen`` after a failed ``DataService/createPost(_:)``.
public enum DataServiceError: Error, Hashable, Sendable {
  /// The service could not be reached: name, connection or certificate. `reason` says which.
  ///
  /// A connection that was lost before the answer came is one of these; then the outcome may be
  /// open.
  case unreachable(reason: String, isTransient: Bool = true, isOutcomeOpen: Bool = false)
  /// A time limit ended the request. `reason` says which limit, and after how long.
  case timedOut(reason: String, isOutcomeOpen: Bool = false)
  /// The service wants credentials, or refuses the ones it was given.
  case unauthorized(status: Int, message: String)
  /// The service answered with an error status.
  case rejected(status: Int, message: String)
  /// The service answered with something that is not what was asked for.
  ///
  /// `location` is the element and path in the answer, such as `[3].userId`, or what was received;
  /// `reason` says what was expected and what was found.
  case badResponse(location: String, reason: String, isOutcomeOpen: Bool = false)
  /// The request could not be made as asked: a bad URL, an empty title.
  case invalidRequest(reason: String)
  /// The file of a local service cannot be used. `reason` says why and what would help.
  case storage(path: String, reason: String)
  /// The disk under a local service's file is full or fails; the file itself is the right one.
  ///
  /// `reason` says what happened and what would help.
  case diskFailure(path: String, reason: String, isOutcomeOpen: Bool = false)
  /// Something happened that a correct program would not let happen. `reason` says what.
  ///
  /// This is a defect of the service, or of its use, such as a client that was shut down too early.
  case internalFailure(reason: String, isOutcomeOpen: Bool = false)
  /// The task that asked was cancelled. Nobody is waiting for this answer; do not report it.
  case cancelled
}

extension DataServiceError {
  /// Whether the same request could succeed a little later, with nobody changing anything.
  ///
  /// It says nothing about whether asking again is safe: see ``leavesCreationOpen``.
  public var isTransient: Bool {
    switch self {
    case .unreachable(_, let isTransient, _): isTransient
    case .timedOut: true
    case .rejected(let status, _): [408, 429, 500, 502, 503, 504].contains(status)
    case .unauthorized, .badResponse, .invalidRequest, .storage, .diskFailure, .internalFailure,
      .cancelled:
      false
    }
  }

  /// Whether a post may be stored although ``DataService/createPost(_:)`` ended with this error.
  ///
  /// To send it again could then make a second one. After a fetch it means nothing.
  public var leavesCreationOpen: Bool {
    switch self {
    case .unreachable(_, _, let isOpen), .timedOut(_, let isOpen), .badResponse(_, _, let isOpen),
      .diskFailure(_, _, let isOpen), .internalFailure(_, let isOpen):
      isOpen
    // A redirect after a POST mostly means "stored, look there" (RFC 9110, 15.4.4). A status of
    // 408 or 5xx may come from something between that does not know what the server did.
    case .rejected(let status, _): (300..<400).contains(status) || status == 408 || status >= 500
    // The task that was cancelled may have sent everything by then.
    case .cancelled: true
    case .unauthorized, .invalidRequest, .storage: false
    }
  }
}
