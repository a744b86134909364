/// Who waits for a request, and how the answer reaches them.
///
/// The answer to a request whose response is streamed comes with its headers, and has no body.
typealias TransferContinuation = CheckedContinuation<Result<HTTPResponse, HTTPClientError>, Never>

/// One request on the loop thread: what was asked, who waits, and how far it has come.
final class Transfer {
  let id: UInt64
  var order: TransferOrder
  let limits: HTTPLimits
  let route: Route
  var stateMachine: TransferStateMachine
  /// The transfer as libcurl sees it, from the grant of a slot to the end.
  var easy: CurlEasy?
  private let turn: LoopTurn
  private var timer: TransferTimer
  /// Who waits; nil while the request is only reserved, and again once it was answered.
  private var continuation: TransferContinuation?
  /// How many bytes the reader of a streamed body can take before the next ``deliver()``.
  private var room = ResponseBodyStateMachine.capacity
  private var isTouched = false
  /// Why it ended before anybody waited.
  var earlyFailure: HTTPClientError?

  var request: HTTPRequest { order.request }

  init(id: UInt64, order: TransferOrder, limits: HTTPLimits, route: Route, turn: LoopTurn) {
    self.id = id
    self.route = route
    self.order = order
    self.limits = limits
    self.turn = turn
    timer = TransferTimer(
      limits: limits, isStreamed: order.response != nil, now: turn.now)
    stateMachine = TransferStateMachine(limits: limits, isStreamed: order.response != nil)
  }

  func wait(_ continuation: TransferContinuation) -> TransferStateMachine.WaitAction {
    self.continuation = continuation
    return stateMachine.wait()
  }

  /// Answers the caller, who must be waiting; a second answer is a defect and traps.
  private func resume(_ result: Result<HTTPResponse, HTTPClientError>) {
    guard let continuation else { preconditionFailure("Nobody waits for request \(id).") }
    self.continuation = nil
    continuation.resume(returning: result)
  }

  /// Answers whoever waits at the end: the caller, or the reader of a body.
  func finish(_ result: Result<HTTPResponse, HTTPClientError>) {
    order.upload?.close()
    guard let response = order.response else { return resume(result) }
    switch result {
    case .success(let whole):
      if !isAnnounced { announce(whole.status, whole.headers, whole.metrics) }
      if !whole.body.isEmpty { _ = response.deliver(whole.body, isPaused: false) }
      response.finish(nil)
    case .failure(let failure):
      if isAnnounced { response.finish(failure) } else { resume(result) }
    }
  }

  /// Gives the caller the head of a response whose body is streamed.
  private func announce(_ status: Int, _ headers: HTTPHeaders, _ metrics: HTTPMetrics?) {
    timer.noteHead()
    resume(.success(HTTPResponse(status: status, headers: headers, metrics: metrics)))
  }

  /// Whether the caller has the head of a streamed response.
  private var isAnnounced: Bool { continuation == nil }

  /// An error of this request that is not libcurl's.
  func failure(_ kind: HTTPClientError.Kind) -> HTTPClientError {
    var error = HTTPClientError(kind, request: request)
    error.mayHaveReachedServer = easy.map { $0.outcome().requestSize > 0 } ?? false
    error.metrics = easy?.metrics
    return error
  }
}

extension Transfer: CurlReceiver {
  func receiveHeaderLine(_ line: [UInt8]) -> Bool {
    timer.noteActivity(at: turn.now)
    // A status that ends the sending of a body must be looked at, too.
    if order.response != nil || order.upload != nil { touch() }
    switch stateMachine.receiveHeaderLine(line) {
    case .proceed, .announce: return true
    case .refuse: return false
    }
  }

  func receiveBody(count: Int) -> TransferStateMachine.BodyAction {
    timer.noteActivity(at: turn.now)
    guard order.response != nil else { return stateMachine.receiveBody(count: count) }
    touch()
    // Whatever comes first is taken, however large, since there will never be more room for it.
    let hasRoom = count <= room || room == ResponseBodyStateMachine.capacity
    let action = stateMachine.receiveBody(count: count, hasRoom: hasRoom)
    if action == .proceed { room = max(0, room - count) }
    return action
  }

  func nextUpload(limit: Int) -> UploadStep {
    timer.noteActivity(at: turn.now)
    return order.upload?.take(limit: limit) ?? .end
  }

  private func touch() {
    if !isTouched { turn.touched.append(self) }
    isTouched = true
  }
}

extension Transfer {
  /// Starts the time of its limits.
  func startTimer() {
    timer = TransferTimer(limits: limits, isStreamed: order.response != nil, now: turn.now)
  }

  /// A time before which no limit is reached.
  var nextCheck: ContinuousClock.Instant { timer.nextCheck }

  /// The error of the limit that is reached, or nil.
  func expired() -> HTTPClientError? {
    guard let easy else { return nil }
    let isPaused = stateMachine.isPaused || order.upload?.isPaused == true
    guard let (limit, duration) = timer.check(at: turn.now, easy.progress, isPaused: isPaused)
    else { return nil }
    let bytes = easy.outcome().bytesReceived
    return failure(.timedOut(limit, after: duration, bytesReceived: bytes))
  }

  /// Lets libcurl go on with what it holds back, and with asking for more of a body to send.
  func resumeEasy() {
    timer.noteActivity(at: turn.now)
    _ = stateMachine.resume()
    easy?.resume()
  }

  /// Hands on what has come since the last turn.
  func deliver() {
    isTouched = false
    guard let easy else { return }
    if let response = order.response {
      if stateMachine.finalStatus != nil, !isAnnounced {
        announce(stateMachine.head.status, stateMachine.head.headers, easy.metrics)
      }
      let bytes = easy.takeBody()
      room = response.deliver(bytes, isPaused: stateMachine.isPaused)
      // The reader has taken everything meanwhile, and will not ask for it to go on.
      let canGoOn = room == ResponseBodyStateMachine.capacity
      if stateMachine.isPaused, canGoOn { resumeEasy() }
    }
    // libcurl sends no more of a body once the server has answered like this, but ends no transfer
    // while the sending is paused.
    if stateMachine.hasEndedUpload, order.upload?.close() == true { easy.resume() }
  }
}
