/// The way from any task to the loop thread and back.
///
/// Commands go in under one lock and come out on the loop thread, which alone knows the transfers
/// (``LoopWorker``). Nothing is resumed and nothing is sent while the lock is held.
final class TransferLoop: Sendable {
  private struct State {
    var inbox = LoopInbox()
    var wakeup: CurlWakeup?
    var closeWaiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())
  private let configuration: HTTPClient.Configuration
  private let proxies: ProxySettings
  private let longestPoll: Int32

  /// Creates a loop that has not begun.
  ///
  /// The longest poll, in milliseconds, bounds what a lost wakeup could cost; libcurl has had such
  /// defects (https://github.com/curl/curl/issues/22272).
  init(
    configuration: HTTPClient.Configuration, proxies: ProxySettings = ProxySettings(),
    longestPoll: Int32 = 1000
  ) {
    self.configuration = configuration
    self.proxies = proxies
    self.longestPoll = longestPoll
  }

  /// Sends a request and waits for its end; cancelling the task ends it early.
  func perform(_ request: HTTPRequest) async -> Result<HTTPResponse, HTTPClientError> {
    switch reserve(TransferOrder(request)) {
    case .failure(let error): .failure(error)
    case .success(let id): await perform(id, request)
    }
  }

  /// Makes a request known, so that it can be cancelled from now on; it must be performed.
  func reserve(_ order: TransferOrder) -> Result<UInt64, HTTPClientError> {
    state.withLock { $0.inbox.reserve(order) }
  }

  /// Sends a request that was reserved, and waits for its answer; cancelling the task ends it.
  func perform(
    _ id: UInt64, _ request: HTTPRequest
  ) async -> Result<HTTPResponse, HTTPClientError> {
    // The identity exists before either of these closures, so the cancel may run first.
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let refusal = submit(.wait(id, continuation)) {
          continuation.resume(returning: .failure(HTTPClientError(refusal, request: request)))
        }
      }
    } onCancel: {
      submit(.cancel(id))
    }
  }

  /// Asks the loop thread to end every request and itself, without waiting for it.
  func stop() { wakeIfAsked { $0.stop() } }

  /// Waits until the loop thread has released everything that belongs to libcurl.
  func waitUntilClosed() async {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if !state.inbox.isClosed { state.closeWaiters.append(continuation) }
        return state.inbox.isClosed
      }
      if isClosed { continuation.resume() }
    }
  }

  /// Does the work of the loop thread until `stop`.
  func run() {
    let reason: HTTPClientError.Kind
    do throws(CurlSetupError) {
      try runWorker()
      reason = .clientShutDown
    } catch {
      reason = .internalFailure(
        "libcurl could not be started: \(error.what) gave \(error.code), \(error.message)")
    }
    close(reason)
  }

  /// Refuses everything from now on, what was not begun included.
  func close(_ reason: HTTPClientError.Kind) {
    let (commands, waiters) = state.withLock { state in
      defer { state.closeWaiters = [] }
      state.wakeup = nil
      return (state.inbox.close(reason), state.closeWaiters)
    }
    var requests: [UInt64: HTTPRequest] = [:]
    for command in commands {
      switch command {
      case .reserve(let id, let order):
        requests[id] = order.request
        order.upload?.close()
      case .wait(let id, let continuation):
        let error = requests[id].map { HTTPClientError(reason, request: $0) }
        continuation.resume(returning: .failure(error ?? HTTPClientError(reason)))
      case .cancel, .resume, .upload:
        break
      }
    }
    for waiter in waiters { waiter.resume() }
  }

  /// The worker and its handles live in this function only, on the thread that calls it.
  private func runWorker() throws(CurlSetupError) {
    let multi = try CurlMulti(
      connectionsPerHost: configuration.connectionsPerHost, connections: configuration.connections)
    let worker = LoopWorker(multi: multi, configuration: configuration, proxies: proxies)
    state.withLock { $0.wakeup = multi.wakeup }
    while true {
      let (commands, isStopping) = state.withLock { $0.inbox.take() }
      for command in commands { worker.handle(command) }
      if isStopping { break }
      worker.advance()
      if state.withLock({ $0.inbox.preparesToPoll() }) {
        let wait = worker.millisecondsToNextCheck.map(Int32.init(clamping:)) ?? longestPoll
        multi.poll(milliseconds: min(wait, longestPoll))
      }
    }
    worker.endAll()
  }

  /// Gives the loop thread a command about a reserved request; returns why it was not taken.
  @discardableResult
  func submit(_ command: LoopInbox.Command) -> HTTPClientError.Kind? {
    let action = wakeIfAsked { $0.submit(command) }
    if case .refuse(let reason) = action { return reason }
    return nil
  }

  /// The one door to the inbox that may have to wake the loop thread.
  @discardableResult
  private func wakeIfAsked(
    _ event: (inout LoopInbox) -> LoopInbox.SubmitAction
  ) -> LoopInbox.SubmitAction {
    let (action, wakeup) = state.withLock { state in (event(&state.inbox), state.wakeup) }
    switch action {
    case .wake: wakeup?.wake()
    case .none, .refuse: break
    }
    return action
  }
}
