public import Store

/// Sent when the body of an effect threw an error that it had not turned into an action itself.
///
/// Let a reducer show it, or an effect report it. When no reducer and no item for this type does,
/// the store's diagnostics handler is told as well. An effect that handles this action and fails in
/// turn is reported to the diagnostics handler only. What a cancelled effect throws is never a
/// failure.
public struct EffectFailed: Action {
  /// The name of the effect.
  public let name: EffectName
  /// The key of the run, or nil if the effect has none.
  public let key: (any Hashable & Sendable)?
  /// The dispatch whose action started the run.
  public let origin: DispatchIdentity
  /// Which attempt failed, counted from 1.
  public let attempt: Int
  /// What the body threw.
  public let error: any Error
}
