/// What comes back from one attempt, as far as redirects and retries depend on it.
///
/// It may be a whole response, or its head with a body that is still on its way.
protocol HTTPExchangeResponse: Sendable {
  /// Whether its body is still on its way, and the limit of streams counts.
  static var isStreamed: Bool { get }
  /// The status.
  var status: Int { get }
  /// The headers.
  var headers: HTTPHeaders { get }
  /// What the attempt took, without what it waited for a connection slot; nil if that is not known.
  var metrics: HTTPMetrics? { get }
  /// Where it came from; set by the exchange, since an attempt knows only one hop.
  var url: HTTPURL? { get set }
  /// Nobody wants the rest: another attempt takes its place.
  func abandon()
}

extension HTTPResponse: HTTPExchangeResponse {
  static var isStreamed: Bool { false }
  func abandon() {}
}

/// One call of the client: attempts, with redirects and pauses in between, until there is an answer.
///
/// It only performs; ``HTTPRedirectChain`` and ``HTTPRetryStateMachine`` decide.
struct HTTPExchange: ~Copyable {
  private let number: UInt64
  private let settings: HTTPExchangeSettings
  private let pauses: HTTPPauses
  private let limits: HTTPLimits
  /// How long it may take until there is a response.
  private let total: Duration
  private let elapsed: () -> Duration
  private var chain: HTTPRedirectChain
  private var stateMachine: HTTPRetryStateMachine
  private var mayHaveReachedServer = false
  /// What attempts and pauses took so far; a wait for a connection slot is not counted.
  private var spent: Duration = .zero

  init(
    _ request: HTTPRequest, number: UInt64, settings: HTTPExchangeSettings, pauses: HTTPPauses,
    isStreamed: Bool
  ) {
    let limits = request.limits ?? settings.configuration.limits
    let retries = request.retries ?? settings.configuration.retries
    var request = request
    if retries.sendsIdempotencyKey, !request.isRepeatable {
      request.headers["Idempotency-Key"] = settings.idempotencyKey()
    }
    self.number = number
    self.settings = settings
    self.pauses = pauses
    self.limits = limits
    total = isStreamed ? min(limits.total, limits.streamedTotal ?? limits.total) : limits.total
    chain = HTTPRedirectChain(
      request, redirects: request.redirects ?? settings.configuration.redirects)
    stateMachine = HTTPRetryStateMachine(retries: retries, total: total)
    elapsed = settings.configuration.clock.stopwatch()
  }

  /// Runs to the end.
  ///
  /// - Parameter attempt: Sends a request once. It may take as long as the request's limits say.
  /// - Returns: What the caller gets.
  mutating func run<Response: HTTPExchangeResponse>(
    _ attempt: (HTTPRequest) async -> Result<Response, HTTPClientError>
  ) async -> Result<Response, HTTPClientError> {
    var request = chain.request
    request.limits = limits
    while true {
      let began = elapsed()
      report(.started(attempt: stateMachine.attempts))
      let result = complete(await attempt(request))
      let duration = result.metrics?.total ?? elapsed() - began
      spent += duration
      report(result, after: duration)
      if let answer = await answer(to: result) { return answer }
      guard let next = nextRequest() else { return .failure(failure(totalLimit(bytes: 0))) }
      request = next
    }
  }

  /// What the caller gets, or nil when there is another attempt to make.
  private mutating func answer<Response: HTTPExchangeResponse>(
    to result: Result<Response, HTTPClientError>
  ) async -> Result<Response, HTTPClientError>? {
    if case .success(let response) = result {
      mayHaveReachedServer = true
      let origin = chain.request
      switch chain.receive(status: response.status, headers: response.headers) {
      case .deliver: break
      case .follow:
        response.abandon()
        report(
          .redirected(status: response.status, to: chain.request.url.description), from: origin)
        return nil
      case .fail(let kind):
        response.abandon()
        return .failure(failure(kind))
      }
    }
    let outcome = outcome(result)
    let action = stateMachine.finish(
      outcome, isRepeatable: chain.request.isRepeatable, elapsed: spent, jitter: settings.jitter())
    switch action {
    case .deliver:
      return final(result)
    case .giveUp(let obstacle):
      report(.notRetried(obstacle))
      return final(result)
    case .pause(let delay):
      if case .success(let response) = result { response.abandon() }
      report(
        .retryScheduled(
          attempt: stateMachine.attempts + 1, delay: delay, reason: outcome.reason))
      let began = elapsed()
      let end = await pauses.pause(delay, on: settings.configuration.clock)
      spent += elapsed() - began
      switch end {
      case .over: stateMachine.resume()
      case .cancelled: return .failure(failure(.cancelled))
      case .shutDown: return .failure(failure(.clientShutDown))
      }
      return nil
    }
  }

  /// The request of the next attempt, with what is left of the total limit; nil if nothing is.
  private func nextRequest() -> HTTPRequest? {
    var request = chain.request
    request.limits = limits
    request.limits?.total = total - spent
    request.limits?.streamedTotal = limits.streamedTotal.map { $0 - spent }
    return spent < total ? request : nil
  }
}

extension HTTPExchange {
  /// Adds to the result of one attempt what only the exchange knows.
  private mutating func complete<Response: HTTPExchangeResponse>(
    _ result: Result<Response, HTTPClientError>
  ) -> Result<Response, HTTPClientError> {
    switch result {
    case .success(var response):
      response.url = chain.request.url
      return .success(response)
    case .failure(var error):
      // The attempt knows only what was left of the limit that the caller set.
      if case .timedOut(.total, _, let bytes) = error.kind { error.kind = totalLimit(bytes: bytes) }
      mayHaveReachedServer = mayHaveReachedServer || error.mayHaveReachedServer
      error.attempts = stateMachine.attempts
      error.redirects = chain.hops
      return .failure(error)
    }
  }

  /// The last result, in which an earlier attempt may have reached the server although this did not.
  ///
  /// A retry is decided without that: whether it does harm was asked after each attempt.
  private func final<Response: HTTPExchangeResponse>(
    _ result: Result<Response, HTTPClientError>
  ) -> Result<Response, HTTPClientError> {
    result.mapError { error in
      var error = error
      error.mayHaveReachedServer = mayHaveReachedServer
      return error
    }
  }

  private func outcome<Response: HTTPExchangeResponse>(
    _ result: Result<Response, HTTPClientError>
  ) -> HTTPRetryStateMachine.Outcome {
    switch result {
    case .success(let response):
      .status(response.status, retryAfter: response.headers.retryAfter(now: settings.now))
    case .failure(let error): .failure(error)
    }
  }

  /// An error that no single attempt had.
  private func failure(_ kind: HTTPClientError.Kind) -> HTTPClientError {
    var error = HTTPClientError(kind, request: chain.request)
    error.mayHaveReachedServer = mayHaveReachedServer
    error.attempts = stateMachine.attempts
    error.redirects = chain.hops
    return error
  }

  private func totalLimit(bytes: Int) -> HTTPClientError.Kind {
    .timedOut(.total, after: total, bytesReceived: bytes)
  }

  private func report<Response: HTTPExchangeResponse>(
    _ result: Result<Response, HTTPClientError>, after duration: Duration
  ) {
    switch result {
    case .success(let response): report(.responded(status: response.status, after: duration))
    case .failure(let error): report(.failed(error, after: duration))
    }
  }

  /// Tells the observer, if there is one, about a step of the present hop or of another.
  private func report(_ step: HTTPEvent.Step, from request: HTTPRequest? = nil) {
    guard let observer = settings.configuration.observer else { return }
    let request = request ?? chain.request
    observer(
      HTTPEvent(
        exchange: number, method: request.method, url: request.url.description, step: step))
  }
}

extension Result where Success: HTTPExchangeResponse, Failure == HTTPClientError {
  fileprivate var metrics: HTTPMetrics? {
    switch self {
    case .success(let response): response.metrics
    case .failure(let error): error.metrics
    }
  }
}

extension HTTPRetryStateMachine.Outcome {
  fileprivate var reason: HTTPEvent.RetryReason {
    switch self {
    case .status(let status, let retryAfter): .status(status, retryAfter: retryAfter)
    case .failure(let error): .failure(error.kind)
    }
  }
}

extension Clock<Duration> {
  /// Begins to measure, and returns what tells the time since.
  fileprivate func stopwatch() -> () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
