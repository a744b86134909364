/// Decides whether a request is tried again, and when, as a value without clock and chance.
///
/// ```
/// attempting ──▶ pausing ──▶ attempting …
///     └──▶ done     └──▶ done
/// ```
///
/// The rules are those of ``HTTPRetries``.
struct HTTPRetryStateMachine {
  private enum State {
    /// An attempt is under way. Can go to: attempting (a redirect), pausing, done.
    case attempting
    /// The next attempt waits for its time. Can go to: attempting, done.
    case pausing
    /// The caller has its answer. Can go nowhere.
    case done
  }

  private var state: State = .attempting
  private let retries: HTTPRetries
  private let total: Duration
  /// How often the request was tried, the attempt under way included.
  private(set) var attempts = 1

  /// Creates a machine for a request whose whole exchange may take this long.
  init(retries: HTTPRetries, total: Duration) {
    self.retries = retries
    self.total = total
  }
}

extension HTTPRetryStateMachine {
  /// How an attempt ended, as far as a retry depends on it.
  enum Outcome: Equatable {
    /// With a response, and what its `Retry-After` says.
    case status(Int, retryAfter: Duration?)
    /// With an error.
    case failure(HTTPClientError)
  }

  /// What to do after an attempt.
  enum Action: Equatable {
    /// Give the caller what came.
    case deliver
    /// Give the caller what came, although a retry might have helped: this stood against it.
    case giveUp(HTTPRetryObstacle)
    /// Wait so long, then call ``resume()``.
    case pause(Duration)
  }

  /// An attempt ended, and not with a redirect that is followed.
  ///
  /// - Parameters:
  ///   - outcome: How it ended.
  ///   - isRepeatable: Whether sending the request twice does no harm.
  ///   - elapsed: How long the exchange has taken.
  ///   - jitter: A random number from 0 to 1, asked for only if there is a pause to choose.
  /// - Returns: What to do now.
  mutating func finish(
    _ outcome: Outcome, isRepeatable: Bool, elapsed: Duration, jitter: @autoclosure () -> Double
  ) -> Action {
    switch state {
    case .attempting: break
    case .pausing, .done: impossible("finish")
    }
    let action = action(outcome, isRepeatable, elapsed, jitter)
    switch action {
    case .deliver, .giveUp: state = .done
    case .pause: state = .pausing
    }
    return action
  }

  /// The pause is over.
  mutating func resume() {
    switch state {
    case .pausing:
      attempts += 1
      state = .attempting
    case .attempting, .done: impossible("resume")
    }
  }

  private func action(
    _ outcome: Outcome, _ isRepeatable: Bool, _ elapsed: Duration, _ jitter: () -> Double
  ) -> Action {
    guard outcome.couldSucceedLater, retries.attempts > 1 else { return .deliver }
    if attempts >= retries.attempts { return .giveUp(.attemptsUsedUp) }
    if !isRepeatable && outcome.mayHaveReachedServer { return .giveUp(.notRepeatable) }
    let asked = outcome.retryAfter ?? .zero
    if asked > max(.zero, retries.longestDelay) { return .giveUp(.serverAsksForMore(asked)) }
    let random = retries.bound(beforeRetry: attempts) * min(1, max(0, jitter()))
    let pause = max(random, asked)
    if elapsed + pause >= total { return .giveUp(.totalLimit) }
    return .pause(pause)
  }

  /// A pair of state and event that the driver cannot produce; both are named for the report.
  private func impossible(_ event: String) -> Never {
    preconditionFailure("Retries that are \(state) met the event \(event).")
  }
}

extension HTTPRetryStateMachine.Outcome {
  /// Whether there is reason to believe that the same request succeeds a little later.
  fileprivate var couldSucceedLater: Bool {
    switch self {
    case .status(let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
    case .failure(let error):
      // After the total limit no time is left, whatever the clock says.
      if case .timedOut(.total, _, _) = error.kind { false } else { error.isTransient }
    }
  }

  fileprivate var mayHaveReachedServer: Bool {
    switch self {
    case .status: true
    case .failure(let error): error.mayHaveReachedServer
    }
  }

  fileprivate var retryAfter: Duration? {
    switch self {
    case .status(_, let retryAfter): retryAfter
    case .failure: nil
    }
  }
}
