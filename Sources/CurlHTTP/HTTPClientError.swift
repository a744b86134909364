/// Why a request has no response.
///
/// It says what was being done and where, without credentials; what libcurl said, word for word;
/// and whether the server may have seen the request, which decides if sending it again is safe.
/// A status such as 404 or 503 is not an error here: it is a response.
public struct HTTPClientError: Error, Hashable, Sendable {
  /// What went wrong.
  public var kind: Kind
  /// The method of the request; nil when there was no request yet.
  public var method: HTTPMethod?
  /// The URL without credentials and with secret-looking query values replaced by `***`.
  public var url: String?
  /// libcurl's result code, where libcurl was involved.
  public var libcurlCode: Int?
  /// What libcurl said about it, or an empty text.
  public var libcurlMessage: String
  /// Whether any byte of the request may have reached a server, in any attempt.
  ///
  /// While this is false, even a POST can safely be sent again.
  public var mayHaveReachedServer: Bool
  /// How often the request was tried; 0 while it was not.
  ///
  /// See ``HTTPRetries``. Redirects that were followed do not count.
  public var attempts = 0
  /// The URLs that led to ``url`` by redirects, in order and without secrets.
  public var redirects: [String] = []
  private var uncomparedCause = Uncompared<(any Error)?>(nil)
  private var uncomparedMetrics = Uncompared<HTTPMetrics?>(nil)

  init(
    _ kind: Kind, method: HTTPMethod? = nil, url: String? = nil, libcurlCode: Int? = nil,
    libcurlMessage: String = "", mayHaveReachedServer: Bool = false
  ) {
    self.kind = kind
    self.method = method
    self.url = url
    self.libcurlCode = libcurlCode
    self.libcurlMessage = libcurlMessage
    self.mayHaveReachedServer = mayHaveReachedServer
  }

  init(_ kind: Kind, request: HTTPRequest) {
    self.init(kind, method: request.method, url: request.url.description)
  }
}

extension HTTPClientError {
  /// What the source of a streamed body threw, where that ended the request.
  ///
  /// Errors in general cannot be compared, so it does not count when two of these are.
  public var cause: (any Error)? {
    get { uncomparedCause.value }
    set { uncomparedCause.value = newValue }
  }

  /// What was measured before the request failed; nil when it had not left the client's queue.
  ///
  /// It does not count when two errors are compared.
  public var metrics: HTTPMetrics? {
    get { uncomparedMetrics.value }
    set { uncomparedMetrics.value = newValue }
  }
}

extension HTTPClientError {
  /// What can go wrong with a request.
  public enum Kind: Hashable, Sendable {
    /// The text is not a URL that can be requested; the value says why.
    case invalidURL(String)
    /// A header cannot be sent; nothing was.
    case invalidHeader(name: String, reason: String)
    /// The request contradicts itself; nothing was sent. The value is a sentence.
    case invalidRequest(String)
    /// The host has no address, or the name server gave none.
    case couldNotResolve(host: String)
    /// No connection to the host came about.
    case couldNotConnect(host: String)
    /// The proxy does not connect to the host, and answered with this status; nothing was sent.
    case proxyRefused(status: Int)
    /// There is no protected connection with a server that proved who it is.
    case tls(TLSFailure)
    /// A limit ended the request: which one, what it was, and how many bytes of a body had come.
    case timedOut(TimeLimit, after: Duration, bytesReceived: Int)
    /// The body has more bytes, decompressed, than the limit allows.
    case bodyTooLarge(limit: Int)
    /// The headers have more bytes than the limit allows.
    case headersTooLarge(limit: Int)
    /// More redirects came than ``HTTPRedirects/upTo(_:)`` allows; often they go round in circles.
    case tooManyRedirects(limit: Int)
    /// A redirect is not followed, for this reason; the location is without secrets.
    case redirectRefused(RedirectRefusal, status: Int, location: String)
    /// What came is not a whole and clear HTTP response.
    case brokenResponse(BrokenResponse)
    /// The source of a streamed body threw; ``HTTPClientError/cause`` is what it threw.
    case uploadFailed
    /// The source of a streamed body gave another number of bytes than was announced, or at least
    /// `given`, if those are more; the server never saw a whole request.
    case uploadHasWrongLength(announced: Int, given: Int)
    /// The body of this response was read before, by another iterator; it can be read once.
    case bodyReadTwice
    /// The connection was lost while the request or the response was on its way.
    case connectionLost
    /// The task was cancelled. Nobody waits for this answer; it is not a failure to report.
    case cancelled
    /// The client was shut down before the request was done.
    case clientShutDown
    /// libcurl refused something it should not; the value says what. This is a defect.
    case internalFailure(String)
  }

  /// A time limit of ``HTTPLimits``.
  public enum TimeLimit: String, Hashable, Sendable {
    /// ``HTTPLimits/connect``.
    case connect
    /// ``HTTPLimits/idle``.
    case idle
    /// ``HTTPLimits/total``, or ``HTTPLimits/streamedTotal`` once the body of a stream comes.
    case total
  }

  /// Why a server did not prove who it is.
  public enum TLSFailure: Hashable, Sendable {
    /// The certificate's time is over.
    case expired
    /// The certificate's time has not begun.
    case notYetValid
    /// The certificate is for another host.
    case wrongHost
    /// The certificate vouches for itself, and it is not among the trusted ones.
    case selfSigned
    /// No trusted authority vouches for the certificate.
    case unknownAuthority
    /// The authority has revoked the certificate.
    case revoked
    /// The file with the trusted authorities cannot be used.
    case authorityFileUnusable
    /// The two sides agreed on no protocol, or the handshake broke off.
    case handshake
    /// Anything else; libcurl's message says more.
    case other
  }

  /// What is wrong with a response.
  public enum BrokenResponse: Hashable, Sendable {
    /// The connection closed before any byte of a response.
    case empty
    /// It ended before its announced end.
    case truncated
    /// Two `Content-Length` headers disagree (RFC 9112 section 6.3).
    case conflictingLengths
    /// It does not speak HTTP/1 or HTTP/2.
    case notHTTP
    /// The body is not in the encoding that its header names, or that encoding is unknown.
    case undecodable
  }
}

extension HTTPClientError {
  /// Whether the same request could succeed a little later, with nobody changing anything.
  ///
  /// It says nothing about whether sending again is safe: see ``mayHaveReachedServer`` and
  /// ``HTTPMethod/isIdempotent``.
  public var isTransient: Bool {
    switch kind {
    case .couldNotResolve, .couldNotConnect, .timedOut, .connectionLost, .tls(.handshake),
      .brokenResponse(.empty), .brokenResponse(.truncated):
      true
    case .invalidURL, .invalidHeader, .invalidRequest, .proxyRefused, .tls, .bodyTooLarge,
      .headersTooLarge,
      .tooManyRedirects, .redirectRefused, .brokenResponse, .uploadFailed, .uploadHasWrongLength,
      .bodyReadTwice, .cancelled, .clientShutDown, .internalFailure:
      false
    }
  }
}
