internal import CurlHTTP

extension HTTPClientError.Kind {
  /// What happened, as a sentence without its end and without a remedy.
  ///
  /// The client's own sentences name the request and bring remedies for whoever wrote the request;
  /// here the one to advise is whoever chose the server.
  func reason(at server: HTTPURL) -> String {
    switch self {
    case .invalidURL(let reason): reason
    case .invalidHeader(let name, let reason):
      "the header \(SafeExcerpt(name)) cannot be sent, because \(SafeExcerpt(reason))"
    case .invalidRequest(let sentence): sentence
    case .couldNotResolve(let host): "the host \(host) was not found"
    case .couldNotConnect: "no connection to \(server.authority)"
    case .proxyRefused(let status):
      "the proxy refused to connect to \(server.authority), with status \(status)"
    case .tls(let failure): "no trusted connection to \(server.authority): \(failure.reason)"
    case .timedOut(.connect, let duration, _): "no connection after \(duration)"
    case .timedOut(.idle, let duration, let bytes):
      "\(server.authority) was silent for \(duration), when \(bytes) bytes of the answer had come"
    case .timedOut(.total, let duration, 0): "no answer after \(duration)"
    case .timedOut(.total, let duration, let bytes):
      "the answer was not complete after \(duration), when \(bytes) bytes of it had come"
    case .bodyTooLarge(let limit): "it has more than \(limit) bytes, the limit"
    case .headersTooLarge(let limit): "its headers have more than \(limit) bytes, the limit"
    case .tooManyRedirects(let limit): "it redirects more than \(limit) times"
    case .redirectRefused(_, let status, let location):
      "it redirects to \(SafeExcerpt(location)) with status \(status)"
    case .brokenResponse(.empty): "\(server.authority) closed the connection without an answer"
    case .brokenResponse(let broken): broken.reason
    case .connectionLost: "the connection to \(server.authority) was lost"
    case .uploadFailed, .uploadHasWrongLength:
      "the body of the request could not be read to its end"
    case .bodyReadTwice: "the body of the answer was read twice"
    case .cancelled: "it was cancelled"
    case .clientShutDown: "the HTTP client was shut down before the request was done"
    case .internalFailure(let what): what
    }
  }

  /// What to do, as a sentence, where it depends on more than the kind of ``DataServiceError``.
  var advice: String? {
    switch self {
    case .couldNotResolve: "Check its spelling, and the network."
    case .couldNotConnect: "Is a server running there, on that port?"
    case .proxyRefused: "Check the proxy's user name and password, and what it allows."
    case .tls(let failure): failure.advice
    case .brokenResponse(.empty), .connectionLost: "Try again later."
    case .bodyTooLarge, .headersTooLarge, .tooManyRedirects, .redirectRefused, .brokenResponse,
      .timedOut, .invalidURL, .invalidHeader, .invalidRequest, .uploadFailed,
      .uploadHasWrongLength, .bodyReadTwice, .cancelled, .clientShutDown, .internalFailure:
      nil
    }
  }
}

extension HTTPClientError.TLSFailure {
  /// The doubt about the server, as a sentence without its end.
  fileprivate var reason: String {
    switch self {
    case .expired: "the server's certificate has expired"
    case .notYetValid: "the server's certificate is not valid yet"
    case .wrongHost: "the server's certificate is for another host"
    case .selfSigned: "the server's certificate is self-signed"
    case .unknownAuthority: "no trusted authority vouches for the server's certificate"
    case .revoked: "the server's certificate was revoked"
    case .authorityFileUnusable: "the file of trusted authorities cannot be used"
    case .handshake: "the handshake failed"
    case .other: "the server could not be verified"
    }
  }

  /// What to do, as a sentence.
  fileprivate var advice: String {
    switch self {
    case .expired, .notYetValid:
      "Check this machine's clock; if it is right, the server's owner must renew it."
    case .wrongHost: "Check the host: someone else may be answering."
    case .selfSigned: "If you trust it, name a file with it in SSL_CERT_FILE."
    case .unknownAuthority:
      "If a private authority signed it, name a file with that authority's certificate in "
        + "SSL_CERT_FILE."
    case .revoked, .other: "Do not trust this server; ask its owner."
    case .authorityFileUnusable:
      "Check that the file in SSL_CERT_FILE exists, can be read and holds certificates in PEM form."
    case .handshake: "Does the server speak TLS on this port, and TLS 1.2 or newer?"
    }
  }
}

extension HTTPClientError.BrokenResponse {
  /// What is wrong with the response, as a sentence without its end.
  fileprivate var reason: String {
    switch self {
    case .empty: "it never came"
    case .truncated: "it was cut short"
    case .conflictingLengths: "it states two different lengths, so its end cannot be known"
    case .notHTTP: "it is not HTTP"
    case .undecodable: "it is not encoded as its Content-Encoding says"
    }
  }
}

extension HTTPURL {
  /// The host and the port, which is named also when it is the protocol's own.
  fileprivate var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return switch scheme {
    case .http: "\(name):\(port ?? 80)"
    case .https: "\(name):\(port ?? 443)"
    }
  }
}
