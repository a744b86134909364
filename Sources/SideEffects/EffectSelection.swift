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
    let runs = withFollowers(for: "cancelEffects") { $0.silence(selection) }
    for run in runs ?? [] { run.interrupt() }
  }
}

extension [any Follower] {
  /// Silences the selected runs and returns them, to be interrupted when the store is unlocked.
  func silence(_ selection: EffectSelection) -> [EffectRun] {
    var runs: [EffectRun] = []
    for follower in self {
      guard let runner = follower as? EffectRunner else { continue }
      let silenced = runner.silence(selection)
      // Most often all are of one effect.
      if runs.isEmpty { runs = silenced } else { runs += silenced }
    }
    return runs
  }
}
