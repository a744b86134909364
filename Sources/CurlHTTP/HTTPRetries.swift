/// How often a request is tried, and how long the pauses between are.
///
/// ```swift
/// request.retries = .never
/// request.retries = HTTPRetries(attempts: 5, sendsIdempotencyKey: true)
/// ```
///
/// A request is tried again when there is reason to believe that it succeeds a little later: after
/// an error that is ``HTTPClientError/isTransient``, except the total limit, and after the statuses
/// 408, 425, 429, 500, 502, 503 and 504. That must do no harm either:
///
/// - GET and HEAD may always be sent again.
/// - Other methods only with an `Idempotency-Key` header, or after an error that came before
///   anything was sent. PUT and DELETE are no exception: in between, somebody else may have changed
///   what they change, or a DELETE that succeeded is answered with 404.
///
/// The pause is random: from nothing to ``baseDelay`` before the first retry, to twice as much
/// before the second, and so on up to ``longestDelay``, so that many clients do not come back all
/// at once. A server that sends `Retry-After` is left alone at least that long.
///
/// There is no pause that the total limit of ``HTTPLimits`` would end, and none longer than
/// ``longestDelay`` because a server asked for it. Then, and after the last try, the caller gets
/// what came last: the response, or the error with its ``HTTPClientError/attempts``.
public struct HTTPRetries: Hashable, Sendable {
  /// How often the request is tried in all; at least 1.
  ///
  /// Redirects that are followed do not count.
  public var attempts: Int {
    didSet { attempts = max(1, attempts) }
  }
  /// The longest that the first pause may be; a negative one counts as none.
  public var baseDelay: Duration
  /// The longest that any pause may be.
  public var longestDelay: Duration
  /// Whether a request that changes something gets an `Idempotency-Key`, if it has none.
  ///
  /// The key is a random UUID, the same for each time the request is sent. Only servers that know
  /// such keys carry a request with one out only once: ask for it where you know that.
  public var sendsIdempotencyKey: Bool

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - attempts: How often the request is tried in all; at least 1.
  ///   - baseDelay: The longest that the first pause may be.
  ///   - longestDelay: The longest that any pause may be.
  ///   - sendsIdempotencyKey: Whether a request that changes something gets an `Idempotency-Key`.
  public init(
    attempts: Int = 3, baseDelay: Duration = .milliseconds(500),
    longestDelay: Duration = .seconds(60), sendsIdempotencyKey: Bool = false
  ) {
    self.attempts = max(1, attempts)
    self.baseDelay = baseDelay
    self.longestDelay = longestDelay
    self.sendsIdempotencyKey = sendsIdempotencyKey
  }

  /// The client sends nothing twice.
  ///
  /// libcurl may send a GET or HEAD again by itself, when a connection that was used before turns out
  /// to be closed.
  public static let never = HTTPRetries(attempts: 1)
}

extension HTTPRetries {
  /// The longest pause before a retry, of which the first is number 1.
  func bound(beforeRetry number: Int) -> Duration {
    var bound = max(.zero, baseDelay)
    // Doubling stops at the limit, which also keeps the product from overflowing.
    for _ in 1..<max(1, number) where bound < longestDelay { bound += bound }
    return max(.zero, min(bound, longestDelay))
  }
}
