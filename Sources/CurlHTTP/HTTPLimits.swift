/// How long a request may take and how much a response may hold.
///
/// The client has limits for every request; a request may bring its own, which replace all of them.
///
/// ```swift
/// var limits = HTTPLimits()
/// limits.total = .seconds(5)
/// request.limits = limits
/// ```
///
/// A response that is collected is limited as a whole. One that is streamed may go on as long as
/// bytes keep coming: for it, ``total`` ends with the headers, and what may follow is limited only
/// if ``streamedTotal`` or ``streamedBodySize`` says so.
public struct HTTPLimits: Hashable, Sendable {
  /// How long finding the host, connecting and the TLS handshake may take together.
  public var connect: Duration
  /// How long a connection may be silent in both directions.
  ///
  /// Time in which the request waits for its own side does not count: for the reader of a streamed
  /// response, or for the source of a streamed body.
  public var idle: Duration
  /// How long the whole request may take, from the moment it leaves the client's queue; of a
  /// streamed response, until its headers have come.
  public var total: Duration
  /// How long a streamed response may take to its end, from the same moment, the time of its reader
  /// included; nil for as long as it takes.
  public var streamedTotal: Duration?
  /// How many bytes a collected body may have after decompression.
  public var bodySize: Int
  /// How many bytes a streamed body may have after decompression; nil for any number.
  public var streamedBodySize: Int?
  /// How many bytes the headers may have, with names, separators and any trailers.
  public var headerSize: Int

  /// Creates limits.
  ///
  /// Times are kept to the millisecond and a time below that counts as one millisecond. What may
  /// have no limit says so by its type; the rest has none, since a request that may take forever
  /// is a defect.
  ///
  /// - Parameters:
  ///   - connect: The time to a usable connection.
  ///   - idle: The time without any byte in either direction.
  ///   - total: The time for everything, or for all up to a streamed body.
  ///   - streamedTotal: The time for everything, a streamed body included; nil for no limit.
  ///   - bodySize: The bytes of a collected body, decompressed; a request with a negative limit is
  ///     refused.
  ///   - streamedBodySize: The bytes of a streamed body, or nil for no limit; the same holds.
  ///   - headerSize: The bytes of the headers; the same holds.
  public init(
    connect: Duration = .seconds(10), idle: Duration = .seconds(15), total: Duration = .seconds(30),
    streamedTotal: Duration? = nil, bodySize: Int = 16 * 1024 * 1024,
    streamedBodySize: Int? = nil, headerSize: Int = 64 * 1024
  ) {
    self.connect = connect
    self.idle = idle
    self.total = total
    self.streamedTotal = streamedTotal
    self.bodySize = bodySize
    self.streamedBodySize = streamedBodySize
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
