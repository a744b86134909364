internal import CurlHTTP

extension DataServiceError {
  /// Says what an HTTP client's error means for someone who asked for users or posts.
  ///
  /// The client's own sentences are kept: they name the request, the cause and a remedy, and warn
  /// when a post may have been stored.
  init(_ error: HTTPClientError) {
    let reason = error.description
    self =
      switch error.kind {
      case .couldNotResolve, .couldNotConnect, .tls, .connectionLost, .brokenResponse(.empty),
        .internalFailure:
        .unreachable(reason: reason)
      case .timedOut:
        .timedOut(reason: reason)
      case .bodyTooLarge, .headersTooLarge, .brokenResponse:
        .badResponse(location: "The whole answer", reason: reason)
      case .invalidURL, .invalidHeader, .invalidRequest, .clientShutDown:
        .invalidRequest(reason: reason)
      case .cancelled:
        .cancelled
      }
  }
}
