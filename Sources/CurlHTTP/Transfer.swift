/// Who waits for a request, and how the answer reaches them.
typealias TransferContinuation = CheckedContinuation<Result<HTTPResponse, HTTPClientError>, Never>

/// One request on the loop thread: what was asked, who waits, and how far it has come.
final class Transfer: CurlReceiver {
  let id: UInt64
  let request: HTTPRequest
  let limits: HTTPLimits
  let route: Route
  var stateMachine: TransferStateMachine
  /// Who waits; nil while the request is only reserved, and again once it was answered.
  private var continuation: TransferContinuation?
  /// The transfer as libcurl sees it, from the grant of a slot to the end.
  var easy: CurlEasy?

  init(id: UInt64, request: HTTPRequest, limits: HTTPLimits, route: Route) {
    self.id = id
    self.route = route
    self.request = request
    self.limits = limits
    stateMachine = TransferStateMachine(limits: limits)
  }

  func wait(_ continuation: TransferContinuation) -> TransferStateMachine.WaitAction {
    self.continuation = continuation
    return stateMachine.wait()
  }

  /// Answers the caller, who must be waiting; a second answer is a defect and traps.
  func resume(_ result: Result<HTTPResponse, HTTPClientError>) {
    guard let continuation else { preconditionFailure("Nobody waits for request \(id).") }
    self.continuation = nil
    continuation.resume(returning: result)
  }

  /// An error of this request that is not libcurl's.
  func failure(_ kind: HTTPClientError.Kind) -> HTTPClientError {
    var error = HTTPClientError(kind, request: request)
    error.mayHaveReachedServer = easy.map { $0.outcome().requestSize > 0 } ?? false
    return error
  }

  func receiveHeaderLine(_ line: [UInt8]) -> Bool {
    stateMachine.receiveHeaderLine(line) == .proceed
  }

  func receiveBody(count: Int) -> Bool { stateMachine.receiveBody(count: count) == .proceed }
}
