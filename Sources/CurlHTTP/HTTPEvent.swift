/// A step in the life of one call of ``HTTPClient``, for a log.
///
/// It holds no header, no body and no credentials; URLs are as in ``HTTPURL/description``. What is
/// printed of it is therefore fit for a log, except that a path is taken for no secret.
///
/// ```swift
/// var configuration = HTTPClient.Configuration()
/// configuration.observer = { event in print(event) }
/// // #1 GET http://example.com/posts: attempt 1
/// // #1 GET http://example.com/posts: status 503 after 0.02 seconds
/// // #1 GET http://example.com/posts: attempt 2 follows in 0.31 seconds
/// ```
public struct HTTPEvent: Hashable, Sendable {
  /// The number of the call within its client, from 1; what belongs together has the same.
  public var exchange: UInt64
  /// The method.
  public var method: HTTPMethod
  /// The URL of this attempt, without secrets.
  public var url: String
  /// What happened.
  public var step: Step

  /// What can happen.
  public enum Step: Hashable, Sendable {
    /// An attempt begins, the first being 1; a redirect that was followed does not add to it.
    ///
    /// It may wait for a connection first.
    case started(attempt: Int)
    /// The attempt ended with a response, or with its headers where the body is streamed.
    case responded(status: Int, after: Duration)
    /// The attempt ended with an error.
    case failed(HTTPClientError, after: Duration)
    /// The response was a redirect, which is followed.
    case redirected(status: Int, to: String)
    /// Another attempt follows after a pause.
    case retryScheduled(attempt: Int, delay: Duration, reason: RetryReason)
    /// There might have been another attempt, but this stands against it.
    case notRetried(HTTPRetryObstacle)
  }

  /// Why another attempt follows.
  public enum RetryReason: Hashable, Sendable {
    /// The response has this status, and asked for this pause if it is not nil.
    case status(Int, retryAfter: Duration?)
    /// There was an error.
    case failure(HTTPClientError.Kind)
  }
}

/// What stands against trying a request again that might succeed later.
public enum HTTPRetryObstacle: Hashable, Sendable {
  /// It was tried as often as ``HTTPRetries/attempts`` says.
  case attemptsUsedUp
  /// The server may have carried it out, and twice would not be the same as once.
  case notRepeatable
  /// The server asks to be left alone for this time, more than ``HTTPRetries/longestDelay``.
  case serverAsksForMore(Duration)
  /// The total limit would end before the pause does.
  case totalLimit
}

extension HTTPEvent: CustomStringConvertible {
  /// One line for a log.
  public var description: String {
    let line = "#\(exchange) \(method) \(url): "
    return switch step {
    case .started(let attempt): line + "attempt \(attempt)"
    case .responded(let status, let duration): line + "status \(status) after \(duration)"
    // The error's own sentence names the method and the URL.
    case .failed(let error, let duration): "#\(exchange) after \(duration): \(error)"
    case .redirected(let status, let url): line + "redirected with status \(status) to \(url)"
    case .retryScheduled(let attempt, let delay, let reason):
      line + "attempt \(attempt) follows in \(delay), because \(reason)"
    case .notRetried(let obstacle): line + "not tried again, because \(obstacle)"
    }
  }
}

extension HTTPEvent.RetryReason: CustomStringConvertible {
  /// The rest of a sentence that ends in "because".
  public var description: String {
    switch self {
    case .status(let status, nil): "the status was \(status)"
    case .status(let status, let asked?):
      "the status was \(status) and the server asks for a pause of \(asked)"
    case .failure: "of that error"
    }
  }
}

extension HTTPRetryObstacle: CustomStringConvertible {
  /// The rest of a sentence that ends in "because".
  public var description: String {
    switch self {
    case .attemptsUsedUp: "that was the last attempt"
    case .notRepeatable:
      "the server may have carried it out already; with an Idempotency-Key it could be sent again"
    case .serverAsksForMore(let asked):
      "the server asks for a pause of \(asked), which is more than allowed"
    case .totalLimit: "the total limit would end before the pause does"
    }
  }
}
