/// Where the time of a request went, and how many bytes it moved.
///
/// Times are those of the last transfer, from the moment it left the client's queue.
public struct HTTPMetrics: Hashable, Sendable {
  /// A version of HTTP.
  public enum Version: String, Hashable, Sendable {
    /// HTTP/1.0.
    case http1_0 = "HTTP/1.0"
    /// HTTP/1.1.
    case http1_1 = "HTTP/1.1"
    /// HTTP/2.
    case http2 = "HTTP/2"
  }

  /// How long it took to find the host's address; zero on a connection that was used before.
  public var nameLookup: Duration
  /// How long it took to connect, after that; zero on a connection that was used before.
  public var connect: Duration
  /// How long the TLS handshake took, after that; zero without TLS, and on a connection that was
  /// used before.
  public var tls: Duration
  /// How long after the start the first byte of the response came; zero if none did.
  public var firstByte: Duration
  /// How long the whole of it took, or has taken so far.
  public var total: Duration
  /// How many bytes were sent: request line, headers and body, before encryption.
  public var bytesSent: Int
  /// How many bytes of responses came: status lines, headers and the body as it was sent, that is
  /// before it was decompressed.
  public var bytesReceived: Int
  /// Whether the connection had been used before, or was shared; false if there was none.
  public var reusedConnection: Bool
  /// The version that the server answered in; nil if it did not.
  public var version: Version?
}

extension HTTPMetrics {
  /// Puts together what libcurl has measured: times in microseconds from the start.
  init(
    nameLookupEnd: Int, connectEnd: Int, tlsEnd: Int, firstByte: Int, total: Int,
    bytesSent: Int, bytesReceived: Int, newConnections: Int, version: Version?
  ) {
    // libcurl repeats the times of the connection's beginning, all as "at once", when it is reused.
    let isNew = newConnections > 0
    func phase(from start: Int, to end: Int) -> Duration {
      isNew && end > start ? .microseconds(end - start) : .zero
    }
    self.init(
      nameLookup: phase(from: 0, to: nameLookupEnd),
      connect: phase(from: nameLookupEnd, to: connectEnd),
      tls: phase(from: connectEnd, to: tlsEnd), firstByte: .microseconds(firstByte),
      total: .microseconds(total), bytesSent: bytesSent, bytesReceived: bytesReceived,
      reusedConnection: !isNew && version != nil, version: version)
  }
}

extension HTTPMetrics: CustomStringConvertible {
  /// All of it, in one line for a log.
  public var description: String {
    let phases = [
      ("name", nameLookup), ("connect", connect), ("TLS", tls), ("first byte", firstByte),
      ("total", total),
    ]
    return (version?.rawValue ?? "no answer") + (reusedConnection ? ", reused connection" : "")
      + phases.map { ", \($0) \($1)" }.joined()
      + ", \(bytesSent) bytes sent, \(bytesReceived) received"
  }
}
