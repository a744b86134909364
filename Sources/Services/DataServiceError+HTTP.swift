internal import CurlHTTP

extension DataServiceError {
  /// Says what an HTTP client's error means for someone who asked for users or posts.
  ///
  /// - Parameters:
  ///   - error: The client's error.
  ///   - server: The address of the service.
  init(_ error: HTTPClientError, at server: HTTPURL) {
    let isOpen = error.mayHaveReachedServer && error.method?.isIdempotent == false
    var reason = error.kind.reason(at: server) + error.detail
    // Where a post may be stored, the advice is to look first; whoever shows the error says that.
    if !isOpen, let advice = error.kind.advice { reason += ". " + advice }
    self =
      switch error.kind {
      case .couldNotResolve, .couldNotConnect, .proxyRefused, .tls, .connectionLost,
        .brokenResponse(.empty):
        .unreachable(reason: reason, isTransient: error.isTransient, isOutcomeOpen: isOpen)
      case .timedOut:
        .timedOut(reason: reason, isOutcomeOpen: isOpen)
      case .redirectRefused(_, let status, let location):
        .rejected(status: status, message: "it redirects to \(SafeExcerpt(location))")
      case .bodyTooLarge, .headersTooLarge, .tooManyRedirects, .brokenResponse:
        .badResponse(location: "The whole answer", reason: reason, isOutcomeOpen: isOpen)
      case .invalidURL, .invalidHeader, .invalidRequest:
        .invalidRequest(reason: reason)
      case .uploadFailed, .uploadHasWrongLength, .bodyReadTwice, .clientShutDown,
        .internalFailure:
        .internalFailure(reason: reason, isOutcomeOpen: isOpen)
      case .cancelled:
        .cancelled
      }
  }
}

extension HTTPClientError {
  /// What libcurl said, to stand after a reason; it may be what a search or a report needs.
  fileprivate var detail: String {
    let said = SafeExcerpt(libcurlMessage)
    guard let libcurlCode, !said.isEmpty else { return "" }
    // A time limit is libcurl's error too, but it has no more to say about it.
    if case .timedOut = kind { return "" }
    return " (libcurl error \(libcurlCode): \(said))"
  }
}
