/// How long a request may take and how much a response may hold.
///
/// The client has limits for every request; a request may bring its own, which replace all of them.
///
/// ```swift
/// var limits = HTTPLimits()
/// limits.total = .seconds(5)
/// request.limits = limits
/// ```
public struct HTTPLimits: Hashable, Sendable {
  /// How long finding the host, connecting and the TLS handshake may take together.
  public var connect: Duration
  /// How long the whole request may take, from the moment it leaves the client's queue.
  public var total: Duration
  /// How many bytes the body may have after decompression.
  public var bodySize: Int
  /// How many bytes the headers may have, with names, separators and any trailers.
  public var headerSize: Int

  /// Creates limits.
  ///
  /// Times are kept to the millisecond and a time below that counts as one millisecond. There is
  /// no way to say "no limit": a request that may take forever is a defect.
  ///
  /// - Parameters:
  ///   - connect: The time to a usable connection.
  ///   - total: The time for everything.
  ///   - bodySize: The bytes of a body, decompressed; a request with a negative limit is refused.
  ///   - headerSize: The bytes of the headers; the same holds.
  public init(
    connect: Duration = .seconds(10), total: Duration = .seconds(30),
    bodySize: Int = 16 * 1024 * 1024, headerSize: Int = 64 * 1024
  ) {
    self.connect = connect
    self.total = total
    self.bodySize = bodySize
    self.headerSize = headerSize
  }
}

extension Duration {
  /// The duration in whole milliseconds, rounded up, and in what libcurl takes as a limit.
  ///
  /// Zero would mean "no limit" there, and libcurl accepts negative values without a word.
  var limitInMilliseconds: Int {
    let (seconds, attoseconds) = components
    let longest = Int64(Int32.max)
    if seconds >= longest / 1000 { return Int(longest) }
    // Before it is multiplied, which the smallest of durations does not survive.
    if seconds < 0 { return 1 }
    let milliseconds = attoseconds / 1_000_000_000_000_000
    let isWhole = attoseconds % 1_000_000_000_000_000 == 0
    return Int(max(1, seconds * 1000 + milliseconds + (isWhole ? 0 : 1)))
  }
}
