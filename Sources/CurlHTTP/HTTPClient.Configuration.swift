extension HTTPClient {
  /// What a client is to keep to, fixed when it is made.
  public struct Configuration: Hashable, Sendable {
    /// The limits of every request that brings none of its own.
    public var limits: HTTPLimits
    /// How many connections to one host may be open; requests beyond that wait.
    ///
    /// At least 1.
    public var connectionsPerHost: Int
    /// How many connections may be open in all; requests beyond that wait.
    ///
    /// At least 1.
    public var connections: Int
    /// A file of trusted authorities in PEM form, in place of the system's.
    ///
    /// Nil means the file that the variable SSL_CERT_FILE names, or else the system's authorities.
    /// Certificates are verified in every case.
    public var certificateAuthorityFile: String?

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - limits: The limits of every request that brings none of its own.
    ///   - connectionsPerHost: The connections to one host.
    ///   - connections: The connections in all.
    ///   - certificateAuthorityFile: A file of trusted authorities, or nil for the usual ones.
    public init(
      limits: HTTPLimits = HTTPLimits(), connectionsPerHost: Int = 8, connections: Int = 64,
      certificateAuthorityFile: String? = nil
    ) {
      self.limits = limits
      self.connectionsPerHost = max(1, connectionsPerHost)
      self.connections = max(1, connections)
      self.certificateAuthorityFile = certificateAuthorityFile
    }
  }
}
