/// What libcurl reports about a transfer that is over, in Swift's terms.
struct TransferOutcome: Equatable, Sendable {
  /// The result code; 0 is success.
  var code = 0
  /// The text for this failure, or the general text for the code.
  var message = ""
  /// The result of verifying the certificate, in OpenSSL's numbers; 0 is success.
  var verifyResult = 0
  /// How many bytes of requests were handed to the connection.
  var requestSize = 0
  /// Whether libcurl has read a status line.
  var responseBegan = false
  /// What a proxy answered to the request for a tunnel; 0 if it was asked for none.
  var tunnelStatus = 0
  /// How long the transfer took.
  var elapsed: Duration = .zero
  /// How many bytes of a body came, before decompression.
  var bytesReceived = 0
}

extension HTTPClientError {
  /// Says what libcurl's result means for this request.
  ///
  /// The codes are libcurl-errors(3). A code alone is not always enough: 28 is any limit, 60 any
  /// doubt about a certificate, 23 either our own refusal or a body that cannot be decoded.
  init(_ outcome: TransferOutcome, of order: TransferOrder, limits: HTTPLimits) {
    let request = order.request
    var limits = limits
    // What libcurl is told as the limit of the body, and reports as exceeded.
    if order.response != nil { limits.bodySize = limits.streamedBodySize ?? .max }
    let kind = HTTPClientError.kind(of: outcome, host: request.url.host, limits: limits)
    self.init(
      kind, method: request.method, url: request.url.description, libcurlCode: outcome.code,
      libcurlMessage: Redaction.withoutCredentials(inMessage: outcome.message),
      mayHaveReachedServer: outcome.requestSize > 0 && !kind.isBeforeRequest)
  }

  private static func kind(
    of outcome: TransferOutcome, host: String, limits: HTTPLimits
  ) -> Kind {
    switch outcome.code {
    case 7 where outcome.tunnelStatus >= 300, 56 where outcome.tunnelStatus >= 300:
      .proxyRefused(status: outcome.tunnelStatus)
    case 5, 6: .couldNotResolve(host: host)
    case 7, 97: .couldNotConnect(host: host)
    case 1, 8: .brokenResponse(.notHTTP)
    // libcurl calls a header or trailer without a colon a bad argument; before a response, 43 is
    // an option that we set wrongly.
    case 43 where outcome.responseBegan: .brokenResponse(.notHTTP)
    case 16, 92: .connectionLost
    // 0 here: libcurl was content with a response whose headers never ended.
    case 0, 18: .brokenResponse(.truncated)
    case 23, 61: .brokenResponse(.undecodable)
    // Seen for a single header line of more than 100 KB; then the buffer has no text.
    case 27: .headersTooLarge(limit: limits.headerSize)
    case 28: connectTimeout(outcome, host: host, limits: limits)
    case 35, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91: .tls(tlsFailure(outcome))
    case 52: .brokenResponse(.empty)
    // 65: it wanted to send a streamed body again, because the connection was gone.
    case 55, 65: .connectionLost
    case 56: lostWhileReceiving(outcome)
    case 63: .bodyTooLarge(limit: limits.bodySize)
    default: .internalFailure("libcurl ended the transfer in a way that was not expected")
    }
  }

  /// Tells our limit from the system's, which gives up on a connection by itself; libcurl has one
  /// code for both, and knows no other limit of ours.
  private static func connectTimeout(
    _ outcome: TransferOutcome, host: String, limits: HTTPLimits
  ) -> Kind {
    if outcome.elapsed + .milliseconds(10) < limits.connect { return .couldNotConnect(host: host) }
    return .timedOut(.connect, after: limits.connect, bytesReceived: outcome.bytesReceived)
  }

  /// Tells a response that is not well formed from a connection that broke.
  private static func lostWhileReceiving(_ outcome: TransferOutcome) -> Kind {
    let message = outcome.message.lowercased()
    let isMalformed = ["chunk", "header", "status line", "illegal"].contains(
      where: message.contains)
    return isMalformed ? .brokenResponse(.notHTTP) : .connectionLost
  }

  /// Names the doubt about a certificate, in the numbers of OpenSSL's x509_vfy.h.
  private static func tlsFailure(_ outcome: TransferOutcome) -> TLSFailure {
    if outcome.code == 77 || outcome.code == 82 { return .authorityFileUnusable }
    switch outcome.verifyResult {
    case 9: return .notYetValid
    case 10: return .expired
    case 18, 19: return .selfSigned
    case 2, 20, 21: return .unknownAuthority
    case 23: return .revoked
    case 62, 64: return .wrongHost
    default: break
    }
    // libcurl compares the host itself, after OpenSSL was content.
    let message = outcome.message.lowercased()
    if outcome.code == 60, message.contains("match") { return .wrongHost }
    return outcome.code == 35 ? .handshake : .other
  }
}

extension HTTPClientError.Kind {
  /// Whether it comes about before a request is sent; what libcurl has sent then was for a proxy.
  fileprivate var isBeforeRequest: Bool {
    switch self {
    case .couldNotResolve, .couldNotConnect, .proxyRefused, .tls: true
    default: false
    }
  }
}
