/// When a transfer has taken too long, as a pure value.
///
/// The limits are kept here and not by libcurl: its limit on the whole time cannot change when the
/// headers of a stream have come, its limit on speed counts whole seconds, and neither holds for a
/// transfer that waits for another's connection.
struct TransferTimer {
  /// How far a transfer has come.
  struct Progress: Equatable {
    /// How long after the start there was a connection to send on; nil while there is none.
    var connected: Duration?
    /// How many bytes went over the connection, both ways.
    var bytes: Int
  }

  private let limits: HTTPLimits
  let started: ContinuousClock.Instant
  private var total: Duration?
  private var lastActivity: ContinuousClock.Instant
  private var lastCheck: ContinuousClock.Instant
  private var lastBytes = 0
  private var isConnected = false

  /// Starts the time of a transfer whose response is collected or streamed.
  init(limits: HTTPLimits, isStreamed: Bool = false, now: ContinuousClock.Instant) {
    self.limits = limits
    started = now
    // What limits a stream to its end limits its beginning: so no limit comes nearer later on.
    let whole = isStreamed ? limits.streamedTotal : nil
    total = min(limits.total, whole ?? limits.total)
    lastActivity = now
    lastCheck = now
  }

  /// Something came or went, or the transfer stopped waiting for us.
  mutating func noteActivity(at now: ContinuousClock.Instant) { lastActivity = now }

  /// The headers of a stream have come: the limit on the whole time becomes that of a stream.
  mutating func noteHead() { total = limits.streamedTotal }

  /// A time before which no limit is reached.
  var nextCheck: ContinuousClock.Instant {
    let idle = limits.idle.atLeastAMillisecond
    // A look in between finds bytes that no callback told of, so that these do not double the time.
    var next = min(lastActivity + idle, lastCheck + idle / 4)
    if !isConnected { next = min(next, started + limits.connect.atLeastAMillisecond) }
    if let total { next = min(next, started + total.atLeastAMillisecond) }
    return next
  }

  /// Looks whether a limit is reached.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - progress: How far the transfer has come.
  ///   - isPaused: Whether it waits for the reader of the body or for the source of one; while it
  ///     does it is not idle.
  /// - Returns: The limit that is reached, and what it is; the whole time before the others.
  mutating func check(
    at now: ContinuousClock.Instant, _ progress: Progress, isPaused: Bool
  ) -> (limit: HTTPClientError.TimeLimit, duration: Duration)? {
    if let total, now >= started + total.atLeastAMillisecond { return (.total, total) }
    if let connected = progress.connected {
      if !isConnected { lastActivity = max(lastActivity, started + connected) }
      isConnected = true
    }
    // Bytes of which no callback told: a body that is sent from memory, or one that is compressed.
    if progress.bytes != lastBytes || isPaused { lastActivity = now }
    lastBytes = progress.bytes
    lastCheck = now
    guard isConnected else {
      // Until there is a connection, its own limit counts.
      lastActivity = now
      let isOver = now >= started + limits.connect.atLeastAMillisecond
      return isOver ? (.connect, limits.connect) : nil
    }
    return now >= lastActivity + limits.idle.atLeastAMillisecond ? (.idle, limits.idle) : nil
  }
}

extension Duration {
  /// The duration, in whole milliseconds and between one of them and 24 days.
  fileprivate var atLeastAMillisecond: Duration { .milliseconds(limitInMilliseconds) }
}
