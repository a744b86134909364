public import Store

/// Some of the effects that a store is running.
public struct EffectSelection: Sendable {
  let name: EffectName?
  let key: EffectKey?

  /// All effects.
  public static let all = EffectSelection(name: nil, key: nil)

  /// The runs of the effect of this name.
  ///
  /// The name of an effect is that of the function that makes it, unless it was given another.
  public static func named(_ name: EffectName) -> EffectSelection {
    EffectSelection(name: name, key: nil)
  }

  /// The runs about this key, of whichever effect; a key of another type is another key.
  public static func key(_ key: some Hashable & Sendable) -> EffectSelection {
    EffectSelection(name: nil, key: EffectKey(key))
  }

  /// The runs of the effect of this name that are about this key.
  public static func named(
    _ name: EffectName, key: some Hashable & Sendable
  ) -> EffectSelection {
    EffectSelection(name: name, key: EffectKey(key))
  }
}

extension Store {
  /// Cancels effects that are running, or registered and about to.
  ///
  /// After this returns nothing more of them is reduced, even if a body ignores cancellation; a run
  /// that had not begun never does. Cancelling what is not there is no error.
  public func cancelEffects(_ selection: EffectSelection) {
    let interruptions = withFollowers(for: "cancelEffects") { followers in
      followers.flatMap { ($0 as? EffectRunner)?.silence(selection) ?? [] }
    }
    for interrupt in interruptions ?? [] { interrupt() }
  }
}
