/// What happens to an effect whose action comes again while it is still running.
///
/// A policy is applied to each key by itself: see the `key` of an effect.
public struct EffectPolicy: Sendable, Hashable {
  enum Kind: Hashable {
    case every, latest, leading, keepLatest
    case queue(limit: Int, capacity: Int, Overflow)
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
