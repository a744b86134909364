extension HTTPClientError: CustomStringConvertible {
  /// What failed, the likely cause and what to do, in full sentences.
  public var description: String {
    var sentences = [subject + " " + kind.explanation]
    if let cause { sentences.append("It said: \(Redaction.visible("\(cause)")).") }
    if !libcurlMessage.isEmpty || libcurlCode != nil {
      let code = libcurlCode.map { "code \($0)" } ?? ""
      let said = [Redaction.visible(libcurlMessage), code].filter { !$0.isEmpty }
      sentences.append("libcurl said: \(said.joined(separator: ", ")).")
    }
    if attempts > 1 { sentences.append("It was tried \(attempts) times.") }
    if !redirects.isEmpty {
      sentences.append("Redirects led there: \(redirects.joined(separator: " → ")).")
    }
    if mayHaveReachedServer, method?.isIdempotent == false, kind != .cancelled {
      sentences.append(
        "The server may have carried it out; look before sending it again.")
    }
    return sentences.joined(separator: " ")
  }

  /// What was being done, as the beginning of a sentence.
  private var subject: String {
    switch (method, url) {
    case (let method?, let url?): "\(method) \(url) failed:"
    case (nil, let url?): "The URL \"\(url)\" cannot be used:"
    case (_, nil): "The request failed:"
    }
  }
}

extension HTTPClientError.Kind {
  /// The rest of the sentence, and a remedy.
  fileprivate var explanation: String {
    switch self {
    case .invalidURL(let reason):
      "\(reason). An example of a URL that can: https://example.com/api."
    case .invalidHeader(let name, let reason):
      "the header \"\(Redaction.visible(name))\" cannot be sent, because \(reason). "
        + "Nothing was sent; correct the header."
    case .invalidRequest(let sentence):
      "\(sentence) Nothing was sent."
    case .couldNotResolve(let host):
      "the host \(host) was not found. Check its spelling and the network's name server."
    case .couldNotConnect(let host):
      "no connection to \(host). Check that the server runs there, on that port, and that no "
        + "firewall or proxy stands between."
    case .proxyRefused(let status):
      "the proxy refused to connect, with status \(status). Check its user name and password, and "
        + "whether it allows this host and port."
    case .tls(let failure):
      failure.explanation
    case .timedOut(.connect, let duration, _):
      "no connection after \(duration), the connect limit. Check that the host is up and "
        + "reachable, or allow more time."
    case .timedOut(.idle, let duration, let bytes):
      "the connection was silent for \(duration), the idle limit; \(bytes) bytes of the body had "
        + "come. The server or the network hangs; try again later, or allow more time."
    case .timedOut(.total, let duration, let bytes):
      "it was not done after \(duration), the total limit; \(bytes) bytes of the body had come. "
        + "The server or the network is slow; allow more time, or ask for less."
    case .bodyTooLarge(let limit):
      "the body has more than \(limit) bytes, the limit. Ask for less, or raise the limit."
    case .headersTooLarge(let limit):
      "the headers have more than \(limit) bytes, the limit. This is rarely a healthy server; "
        + "if it is, raise the limit."
    case .tooManyRedirects(let limit):
      "it was redirected more than \(limit) times, the limit. The server may send it round in "
        + "circles; check the URL, or allow more."
    case .redirectRefused(let refusal, let status, let location):
      "the server redirects it to \(location) with status \(status), \(refusal.explanation)"
    case .brokenResponse(let broken):
      broken.explanation
    case .uploadFailed:
      "the source of its body failed, so the body was never sent to its end. Look at what the "
        + "source says."
    case .uploadHasWrongLength(let announced, let given):
      "its body was announced with \(announced) bytes, and the source gave "
        + (given < announced ? "only \(given)" : "at least \(given)")
        + ". The server has not seen a whole request; announce the right length, or none."
    case .bodyReadTwice:
      "the body of the response was read twice. It is not kept, so it can be read once; collect it "
        + "if you need it again."
    case .connectionLost:
      "the connection was lost on the way. The server or something between closed it; try again "
        + "later."
    case .cancelled:
      "it was cancelled."
    case .clientShutDown:
      "the HTTP client was shut down. Send requests before shutting down, or make a new client."
    case .internalFailure(let what):
      "\(what). This is a defect of the HTTP client; please report it with this message."
    }
  }
}

extension HTTPClientError.RedirectRefusal {
  fileprivate var explanation: String {
    switch self {
    case .insecure:
      "from https to http, where anyone may read along. Ask for that URL yourself if you trust "
        + "the way there."
    case .changesMethod:
      "which would turn it into a GET. Check the URL, its slash at the end included; what was "
        + "done may also be found there."
    case .leavesOrigin:
      "which is another server. Use that URL from the start if you trust it."
    }
  }
}

extension HTTPClientError.TLSFailure {
  fileprivate var explanation: String {
    switch self {
    case .expired:
      "the server's certificate has expired. Its owner must renew it; check this machine's clock "
        + "as well."
    case .notYetValid:
      "the server's certificate is not valid yet. Check this machine's clock."
    case .wrongHost:
      "the server's certificate is for another host. Check the host in the URL: someone else may "
        + "be answering."
    case .selfSigned:
      "the server's certificate is self-signed, so it proves nothing. If you trust it, name it as "
        + "the CA file."
    case .unknownAuthority:
      "no trusted authority vouches for the server's certificate. If a private authority signed "
        + "it, name that authority's certificate as the CA file."
    case .revoked:
      "the server's certificate was revoked. Do not trust this server; its owner must replace it."
    case .authorityFileUnusable:
      "the CA file cannot be used. Check that it exists, can be read and holds certificates in "
        + "PEM form; it comes from the configuration or from SSL_CERT_FILE."
    case .handshake:
      "no protected connection came about. The server may not speak TLS on this port, or nothing "
        + "newer than TLS 1.1."
    case .other:
      "the server could not be verified, or the protection failed."
    }
  }
}

extension HTTPClientError.BrokenResponse {
  fileprivate var explanation: String {
    switch self {
    case .empty:
      "the server closed the connection without an answer. It may be restarting; try again later."
    case .truncated:
      "the response was cut short, so what came was thrown away. Try again later."
    case .conflictingLengths:
      "the response states two different lengths, so its end cannot be known. The server or a "
        + "proxy is at fault."
    case .notHTTP:
      "what answered does not speak HTTP. Check the port and the protocol in the URL."
    case .undecodable:
      "the body cannot be decoded as its Content-Encoding says. The server or a proxy is at fault."
    }
  }
}
