/// Where a request goes when it is redirected, as a pure value.
///
/// It holds the request as it is to be sent next, and the way there. The rules are those of
/// ``HTTPRedirects``.
struct HTTPRedirectChain {
  /// The request of the present hop.
  private(set) var request: HTTPRequest
  /// The URLs before the present one, in order and without secrets.
  private(set) var hops: [String] = []
  private let redirects: HTTPRedirects

  init(_ request: HTTPRequest, redirects: HTTPRedirects) {
    self.request = request
    self.redirects = redirects
  }

  /// What a response with a head means for the exchange.
  enum Action: Equatable {
    /// It is the answer.
    case deliver
    /// The request has been redirected and is to be sent.
    case follow
    /// The exchange has failed.
    case fail(HTTPClientError.Kind)
  }

  /// Headers that say nothing about who asks, and nothing that holds for one resource only.
  private static let safeHeaders = [
    "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "User-Agent",
  ]

  /// A response to the present request came.
  mutating func receive(status: Int, headers: HTTPHeaders) -> Action {
    guard case .upTo(let limit) = redirects, [301, 302, 303, 307, 308].contains(status),
      let target = target(headers)
    else { return .deliver }
    // Something else was done, and the result can be seen elsewhere: that is an answer.
    if status == 303, !request.method.isSafe { return .deliver }
    if let refusal = refusal(status: status, target: target) {
      return .fail(.redirectRefused(refusal, status: status, location: target.description))
    }
    if hops.count >= max(0, limit) { return .fail(.tooManyRedirects(limit: max(0, limit))) }
    hops.append(request.url.description)
    if target.origin != request.url.origin {
      request.headers.fields.removeAll { field in
        !HTTPRedirectChain.safeHeaders.contains(where: field.isNamed)
      }
    }
    request.url = target
    return .follow
  }

  /// Where the response leads; nil when it does not say, or not clearly.
  private func target(_ headers: HTTPHeaders) -> HTTPURL? {
    let locations = headers.values(for: "Location")
    guard let location = locations.first, !location.isEmpty,
      locations.allSatisfy({ $0 == location })
    else { return nil }
    return try? request.url.resolving(location)
  }

  private func refusal(status: Int, target: HTTPURL) -> HTTPClientError.RedirectRefusal? {
    if request.url.scheme == .https && target.scheme == .http { return .insecure }
    if request.method.isSafe { return nil }
    if status != 307 && status != 308 { return .changesMethod }
    return target.origin == request.url.origin ? nil : .leavesOrigin
  }
}
