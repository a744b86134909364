/// Everything that happens on the loop thread: transfers begin, proceed and end here.
final class LoopWorker {
  private let multi: CurlMulti
  private let configuration: HTTPClient.Configuration
  private let proxies: ProxySettings
  private let turn = LoopTurn()
  private var transfers: [UInt64: Transfer] = [:]
  private var slots: ConnectionSlots
  /// A time before which no limit of any transfer is reached; nil when there is none to reach.
  private var nextCheck: ContinuousClock.Instant?

  init(multi: CurlMulti, configuration: HTTPClient.Configuration, proxies: ProxySettings) {
    self.multi = multi
    self.configuration = configuration
    self.proxies = proxies
    slots = ConnectionSlots(
      perHost: configuration.connectionsPerHost, inAll: configuration.connections)
  }

  func handle(_ command: LoopInbox.Command) {
    switch command {
    case .reserve(let id, let order):
      transfers[id] = Transfer(
        id: id, order: order, limits: order.request.limits ?? configuration.limits,
        route: proxies.route(to: order.request.url), turn: turn)
    case .wait(let id, let continuation):
      // A reservation is made before and ends with its answer, so it is still here.
      guard let transfer = transfers[id] else {
        preconditionFailure("Request \(id) waits without a reservation.")
      }
      switch transfer.wait(continuation) {
      case .enqueue:
        slots.enqueue(
          id, host: transfer.route.connectionKey,
          canShareConnection: transfer.order.canShareConnection)
      case .resumeCancelled:
        answer(transfer, .failure(transfer.earlyFailure ?? transfer.failure(.cancelled)))
      }
    // The request may have ended while one of these was on its way.
    case .cancel(let id):
      if let transfer = transfers[id] { end(transfer, .cancelled) }
    case .resume(let id):
      if let transfer = transfers[id], transfer.stateMachine.isPaused { transfer.resumeEasy() }
    case .upload(let id, .hasMore):
      transfers[id]?.resumeEasy()
    case .upload(let id, .failed(let failure)):
      if let transfer = transfers[id] { endUpload(of: transfer, failure) }
    }
  }

  /// Starts what has a slot, and does all that can be done without waiting.
  func advance() {
    turn.updateTime()
    repeat {
      while let id = slots.grant() { start(id) }
      multi.perform()
      deliver()
      while let (easy, outcome) = multi.nextFinished() { finish(easy, outcome) }
      // A finished transfer may have freed a slot.
    } while slots.canGrant
    endExpired()
  }

  /// How long nothing happens by itself, in milliseconds; nil for as long as nothing comes.
  var millisecondsToNextCheck: Int? {
    nextCheck.map { turn.now.duration(to: $0).limitInMilliseconds }
  }

  /// Ends every request because the client is shutting down.
  func endAll() {
    for transfer in transfers.values {
      end(transfer, .clientShutDown)
      // Of one that nobody waits for yet, too: whoever comes to wait is refused.
      transfer.order.upload?.close()
    }
    turn.forgetTouched()
  }
}

extension LoopWorker {
  private func start(_ id: UInt64) {
    // Whoever ends while waiting leaves the queue, so a slot is granted to the living only.
    guard let transfer = transfers[id] else {
      preconditionFailure("Request \(id) was granted a slot after its end.")
    }
    transfer.stateMachine.start()
    transfer.startTimer()
    nextCheck = min(transfer.nextCheck, nextCheck ?? transfer.nextCheck)
    begin(transfer)
  }

  private func begin(_ transfer: Transfer) {
    do throws(CurlSetupError) {
      let easy = try CurlEasy(
        transfer.order, limits: transfer.limits, proxy: transfer.route.proxy,
        configuration: configuration, id: transfer.id, receiver: transfer,
        sockets: multi.sockets)
      try multi.add(easy)
      transfer.easy = easy
    } catch {
      _ = transfer.stateMachine.end()
      var failure = transfer.failure(.internalFailure("libcurl refused \(error.what)"))
      failure.libcurlCode = error.code
      failure.libcurlMessage = Redaction.withoutCredentials(inMessage: error.message)
      answer(transfer, .failure(failure))
    }
  }

  /// Hands on what came of streams, and has libcurl deliver more where that made room.
  private func deliver() {
    while let transfer = turn.nextTouched() { transfer.deliver() }
  }

  private func finish(_ easy: CurlEasy, _ outcome: TransferOutcome) {
    guard let transfer = transfers[easy.id] else { return }
    if easy.foundStaleConnection {
      // Nothing was sent, so that it can be sent as if nothing had happened.
      transfer.order.avoidsReuse = true
      return begin(transfer)
    }
    if [.http1_0, .http1_1].contains(easy.metrics.version) { easy.noteServed() }
    let metrics = easy.metrics
    learn(metrics, from: transfer)
    switch transfer.stateMachine.finish(succeeded: outcome.code == 0) {
    case .succeed(let head):
      answer(
        transfer,
        .success(
          HTTPResponse(
            status: head.status, headers: head.headers, body: easy.takeBody(),
            metrics: metrics)))
    case .failRefused(let refusal):
      answer(transfer, .failure(transfer.failure(refusal.kind(transfer.limits))))
    case .failTransfer:
      var failure = HTTPClientError(outcome, of: transfer.order, limits: transfer.limits)
      failure.metrics = metrics
      answer(transfer, .failure(failure))
    }
  }

  /// Lets more requests begin where a host has shown that they can share a connection.
  private func learn(_ metrics: HTTPMetrics, from transfer: Transfer) {
    guard let version = metrics.version, transfer.order.response == nil else { return }
    slots.learn(transfer.route.connectionKey, isMultiplexed: version == .http2)
  }

  private func end(_ transfer: Transfer, _ reason: HTTPClientError.Kind) {
    end(transfer, transfer.failure(reason))
  }

  private func end(_ transfer: Transfer, _ failure: HTTPClientError) {
    switch transfer.stateMachine.end() {
    case .none:
      // Whoever comes to wait for it learns the first reason.
      transfer.earlyFailure = transfer.earlyFailure ?? failure
    case .leaveQueue:
      slots.withdraw(transfer.id)
      answer(transfer, .failure(failure))
    case .abandonTransfer:
      if let easy = transfer.easy { multi.remove(easy) }
      answer(transfer, .failure(failure))
    }
  }

  /// The source of a streamed body failed.
  private func endUpload(of transfer: Transfer, _ reason: RequestBodyStateMachine.Failure) {
    // libcurl sends no more of it, so the answer is not worth less for it.
    if transfer.stateMachine.hasEndedUpload { return }
    switch reason {
    case .wrongLength(let announced, let given):
      end(transfer, .uploadHasWrongLength(announced: announced, given: given))
    case .thrown(let error):
      var failure = transfer.failure(.uploadFailed)
      failure.cause = error
      end(transfer, failure)
    }
  }

  /// Ends what has reached one of its time limits.
  private func endExpired() {
    guard let due = nextCheck, turn.now >= due else { return }
    for transfer in transfers.values {
      if let failure = transfer.expired() { end(transfer, failure) }
    }
    nextCheck = transfers.values.lazy.filter { $0.easy != nil }.map(\.nextCheck).min()
  }

  /// Forgets a request and answers its caller: the one place that does either.
  private func answer(_ transfer: Transfer, _ result: Result<HTTPResponse, HTTPClientError>) {
    transfers[transfer.id] = nil
    slots.release(transfer.id)
    transfer.finish(result)
  }
}

extension TransferStateMachine.Refusal {
  /// What a refusal is called outside.
  fileprivate func kind(_ limits: HTTPLimits) -> HTTPClientError.Kind {
    switch self {
    case .bodyTooLarge(let limit): .bodyTooLarge(limit: limit)
    case .headersTooLarge: .headersTooLarge(limit: limits.headerSize)
    case .conflictingLengths: .brokenResponse(.conflictingLengths)
    case .notHTTP: .brokenResponse(.notHTTP)
    }
  }
}
