/// What happens to an effect whose action comes again while it is still running.
///
/// A policy is applied to each key by itself: see the `key` of an effect.
public struct EffectPolicy: Sendable, Hashable {
  enum Kind { case every, latest }

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
}
