/// Everything that happens on the loop thread: transfers begin, proceed and end here.
final class LoopWorker {
  private let multi: CurlMulti
  private let configuration: HTTPClient.Configuration
  private let proxies: ProxySettings
  private var transfers: [UInt64: Transfer] = [:]
  private var slots: ConnectionSlots

  init(multi: CurlMulti, configuration: HTTPClient.Configuration, proxies: ProxySettings) {
    self.multi = multi
    self.configuration = configuration
    self.proxies = proxies
    slots = ConnectionSlots(
      perHost: configuration.connectionsPerHost, inAll: configuration.connections)
  }

  func handle(_ command: LoopInbox.Command) {
    switch command {
    case .reserve(let id, let request):
      transfers[id] = Transfer(
        id: id, request: request, limits: request.limits ?? configuration.limits,
        route: proxies.route(to: request.url))
    case .wait(let id, let continuation):
      // A reservation is made before and ends with its answer, so it is still here.
      guard let transfer = transfers[id] else {
        preconditionFailure("Request \(id) waits without a reservation.")
      }
      switch transfer.wait(continuation) {
      case .enqueue: slots.enqueue(id, host: transfer.route.connectionKey)
      case .resumeCancelled: answer(transfer, .failure(transfer.failure(.cancelled)))
      }
    case .cancel(let id):
      // The request may have ended while the cancel was on its way.
      if let transfer = transfers[id] { end(transfer, .cancelled) }
    }
  }

  /// Starts what has a slot, and does all that can be done without waiting.
  func advance() {
    repeat {
      while let id = slots.grant() { start(id) }
      multi.perform()
      while let (easy, outcome) = multi.nextFinished() { finish(easy, outcome) }
      // A finished transfer may have freed a slot.
    } while slots.canGrant
  }

  /// Ends every request because the client is shutting down.
  func endAll() {
    for transfer in transfers.values { end(transfer, .clientShutDown) }
  }

  private func start(_ id: UInt64) {
    // Whoever ends while waiting leaves the queue, so a slot is granted to the living only.
    guard let transfer = transfers[id] else {
      preconditionFailure("Request \(id) was granted a slot after its end.")
    }
    transfer.stateMachine.start()
    do throws(CurlSetupError) {
      let easy = try CurlEasy(
        transfer.request, limits: transfer.limits, proxy: transfer.route.proxy,
        certificateAuthorityFile: configuration.certificateAuthorityFile, id: id,
        receiver: transfer)
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

  private func finish(_ easy: CurlEasy, _ outcome: TransferOutcome) {
    guard let transfer = transfers[easy.id] else { return }
    switch transfer.stateMachine.finish(succeeded: outcome.code == 0) {
    case .succeed(let head):
      answer(
        transfer,
        .success(HTTPResponse(status: head.status, headers: head.headers, body: easy.takeBody())))
    case .failRefused(let refusal):
      answer(transfer, .failure(transfer.failure(refusal.kind(transfer.limits))))
    case .failTransfer:
      answer(
        transfer,
        .failure(HTTPClientError(outcome, of: transfer.request, limits: transfer.limits)))
    }
  }

  private func end(_ transfer: Transfer, _ reason: HTTPClientError.Kind) {
    switch transfer.stateMachine.end() {
    case .none:
      break
    case .leaveQueue:
      slots.withdraw(transfer.id)
      answer(transfer, .failure(transfer.failure(reason)))
    case .abandonTransfer:
      let failure = transfer.failure(reason)
      if let easy = transfer.easy { multi.remove(easy) }
      answer(transfer, .failure(failure))
    }
  }

  /// Forgets a request and resumes its caller: the one place that does either.
  private func answer(_ transfer: Transfer, _ result: Result<HTTPResponse, HTTPClientError>) {
    transfers[transfer.id] = nil
    slots.release(transfer.id)
    transfer.resume(result)
  }
}

extension TransferStateMachine.Refusal {
  /// What a refusal is called outside.
  fileprivate func kind(_ limits: HTTPLimits) -> HTTPClientError.Kind {
    switch self {
    case .bodyTooLarge: .bodyTooLarge(limit: limits.bodySize)
    case .headersTooLarge: .headersTooLarge(limit: limits.headerSize)
    case .conflictingLengths: .brokenResponse(.conflictingLengths)
    case .notHTTP: .brokenResponse(.notHTTP)
    }
  }
}
