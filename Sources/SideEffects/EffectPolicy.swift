/// What happens to an effect whose action comes again while it is still running.
///
/// A policy is applied to each key by itself: see the `key` of an effect.
public struct EffectPolicy: Sendable, Hashable {
  enum Kind: Hashable {
    case every, latest, leading, keepLatest
    case queue(limit: Int, capacity: Int, Overflow)
    case debounce(Duration, maxWait: Duration?)
    case throttle(Duration, Edges)
  }

  let kind: Kind

  /// Each action starts a run of its own; runs overlap.
  public static let every = EffectPolicy(kind: .every)

  /// A new action cancels the run before it: only what the latest action asked for counts.
  ///
  /// The old run sends nothing more from then on; its body may still be on its way to its end.
  ///
  /// The old run is silenced in the commit of the new action and ended before the new one starts.
  /// What it has sent, and the effects that started, stay.
  public static let latest = EffectPolicy(kind: .latest)

  /// An action that comes while a run is going on starts nothing: only the first counts.
  public static let leading = EffectPolicy(kind: .leading)

  /// One run goes on, and of the actions that come meanwhile the newest waits for its end.
  public static let keepLatest = EffectPolicy(kind: .keepLatest)

  /// One run after the other, in the order of the actions.
  ///
  /// A run that was cancelled gives way at once, though its body may still be on its way to its end.
  public static let queue = queue(limit: 1)

  /// At most `limit` runs at a time, the others one after the other, in the order of the actions.
  ///
  /// - Parameters:
  ///   - limit: how many may run at the same time; at least one.
  ///   - capacity: how many may wait.
  ///   - overflow: what happens when one more comes than may wait.
  /// - Returns: the policy.
  public static func queue(
    limit: Int, capacity: Int = .max, overflow: Overflow = .dropNewest
  ) -> EffectPolicy {
    EffectPolicy(kind: .queue(limit: max(1, limit), capacity: max(0, capacity), overflow))
  }

  /// A run starts when its action was the last for a while; the actions before it start nothing.
  ///
  /// When a run starts, one that is still going on from before is cancelled, as with ``latest``: the
  /// newer action says what is wanted now. Time is that of the store's clock. A duration of zero or
  /// less is ``latest``.
  ///
  /// - Parameters:
  ///   - window: how long no other action may have come.
  ///   - maxWait: after how long a run starts although actions keep coming; nil waits as long as
  ///     they do.
  /// - Returns: the policy.
  public static func debounce(for window: Duration, maxWait: Duration? = nil) -> EffectPolicy {
    EffectPolicy(kind: .debounce(min(window, .forEver), maxWait: maxWait.map { min($0, .forEver) }))
  }

  /// At most one run starts in each window of time; runs may overlap.
  ///
  /// With both edges the first action starts a run at once, and of those that come within the window
  /// the last starts one at its end, which opens the next window. An action that comes exactly at
  /// the end takes the place of the one that waited for it, if it is reduced first. Cancelling takes
  /// out what runs and what waits; the window stays open. Time is that of the store's clock; if that
  /// fails, what waits for it runs at once. A duration of zero or less is ``every``.
  ///
  /// - Parameters:
  ///   - window: how long a window is.
  ///   - edges: at which ends of a window a run starts.
  /// - Returns: the policy.
  public static func throttle(for window: Duration, edges: Edges = .both) -> EffectPolicy {
    EffectPolicy(kind: .throttle(min(window, .forEver), edges))
  }

  /// The ends of a window of time.
  public struct Edges: Sendable, Hashable {
    let hasLeading: Bool
    let hasTrailing: Bool

    /// When the first action comes.
    public static let leading = Edges(hasLeading: true, hasTrailing: false)

    /// When the window closes, with the last action that came.
    public static let trailing = Edges(hasLeading: false, hasTrailing: true)

    /// At both.
    public static let both = Edges(hasLeading: true, hasTrailing: true)
  }

  /// Whether something happens by itself after a while.
  var isTimed: Bool {
    switch kind {
    case .debounce, .throttle: true
    case .every, .latest, .leading, .keepLatest, .queue: false
    }
  }

  /// Whether runs may wait for the end of others.
  var hasTurns: Bool {
    switch kind {
    case .keepLatest, .queue: true
    case .every, .latest, .leading, .debounce, .throttle: false
    }
  }

  /// What a queue does with an action for which there is no room.
  public struct Overflow: Sendable, Hashable {
    enum Kind { case dropOldest, dropNewest, fail }

    let kind: Kind

    /// The run that has waited longest makes room for it.
    public static let dropOldest = Overflow(kind: .dropOldest)

    /// It starts nothing.
    public static let dropNewest = Overflow(kind: .dropNewest)

    /// It starts nothing, and ``EffectFailed`` is sent with an ``EffectQueueFull``.
    public static let fail = Overflow(kind: .fail)
  }
}

/// The error of an effect that would have had to wait in a queue without room.
public struct EffectQueueFull: Error, Sendable, Hashable, CustomStringConvertible {
  /// How many may wait.
  public let capacity: Int

  init(_ policy: EffectPolicy) {
    capacity = if case .queue(_, let capacity, _) = policy.kind { capacity } else { 0 }
  }

  /// What happened, and what to do.
  public var description: String {
    """
    The effect did not run: \(capacity) others are waiting already, as many as its queue may hold. \
    Send fewer actions, or allow more with `.queue(limit:capacity:)`.
    """
  }
}

extension Duration {
  /// Longer than anybody waits, and so short that a time can be added to it.
  static let forEver = Duration.seconds(1 << 40)
}
