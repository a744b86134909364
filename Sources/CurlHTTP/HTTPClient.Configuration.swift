extension HTTPClient {
  /// What a client is to keep to, fixed when it is made.
  public struct Configuration: Sendable {
    /// A version of TLS.
    public enum TLSVersion: String, Hashable, Sendable {
      /// TLS 1.2 (RFC 5246).
      case tls1_2 = "TLS 1.2"
      /// TLS 1.3 (RFC 8446).
      case tls1_3 = "TLS 1.3"
    }

    /// The limits of every request that brings none of its own.
    public var limits: HTTPLimits
    /// How many connections to one host may be open; requests beyond that wait.
    ///
    /// At least 1. Over HTTP/2 up to a hundred requests share a connection, except those that must
    /// not be sent twice or have a body that is streamed, either way.
    public var connectionsPerHost: Int {
      didSet { connectionsPerHost = max(1, connectionsPerHost) }
    }
    /// How many connections may be open in all; requests beyond that wait.
    ///
    /// At least 1.
    public var connections: Int {
      didSet { connections = max(1, connections) }
    }
    /// A file of trusted authorities in PEM form, in place of the system's.
    ///
    /// Nil means the file that the variable SSL_CERT_FILE names, or else the system's authorities.
    /// Certificates are verified in every case.
    public var certificateAuthorityFile: String?
    /// The oldest version of TLS that is spoken.
    public var minimumTLSVersion: TLSVersion
    /// Which proxy requests go through.
    public var proxy: HTTPProxy
    /// Whether the redirects of requests that do not say so themselves are followed.
    public var redirects: HTTPRedirects
    /// How often requests that do not say so themselves are tried.
    public var retries: HTTPRetries
    /// The clock of the pauses before retries, and of the total limit across attempts.
    ///
    /// A single attempt keeps to its limits by the system's own clock.
    public var clock: any Clock<Duration>
    /// Is told each step of every request, for a log; nil for nobody.
    ///
    /// It is called by the task that sends the request, wherever that runs, so calls for different
    /// requests come from several threads at once. Those for one request come one after the other,
    /// in the order in which things happen, and the request goes on when it returns. It must not
    /// block.
    public var observer: (@Sendable (HTTPEvent) -> Void)?

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - limits: The limits of every request that brings none of its own.
    ///   - connectionsPerHost: The connections to one host.
    ///   - connections: The connections in all.
    ///   - certificateAuthorityFile: A file of trusted authorities, or nil for the usual ones.
    ///   - minimumTLSVersion: The oldest version of TLS that is spoken.
    ///   - proxy: Which proxy requests go through.
    ///   - redirects: Whether redirects are followed.
    ///   - retries: How often requests are tried.
    ///   - clock: The clock of pauses and of the total limit across attempts.
    ///   - observer: Is told each step of every request.
    public init(
      limits: HTTPLimits = HTTPLimits(), connectionsPerHost: Int = 8, connections: Int = 64,
      certificateAuthorityFile: String? = nil, minimumTLSVersion: TLSVersion = .tls1_2,
      proxy: HTTPProxy = .environment, redirects: HTTPRedirects = .upTo(10),
      retries: HTTPRetries = HTTPRetries(), clock: any Clock<Duration> = ContinuousClock(),
      observer: (@Sendable (HTTPEvent) -> Void)? = nil
    ) {
      self.limits = limits
      self.connectionsPerHost = max(1, connectionsPerHost)
      self.connections = max(1, connections)
      self.certificateAuthorityFile = certificateAuthorityFile
      self.minimumTLSVersion = minimumTLSVersion
      self.proxy = proxy
      self.redirects = redirects
      self.retries = retries
      self.clock = clock
      self.observer = observer
    }
  }
}
