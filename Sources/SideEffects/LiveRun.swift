package import Store

/// A run of an effect that was registered, has not ended and was not cancelled.
package struct LiveRun: Sendable {
  /// The number of the run, counted from 1 in each store.
  package let number: UInt64
  /// The name of the effect.
  package let name: EffectName
  /// What the run is about, as it describes itself; nil if the effect has no key.
  package let key: String?
  /// The dispatch whose action started the run.
  package let origin: DispatchIdentity

  init(_ run: EffectRun) {
    number = run.number
    name = run.name
    key = run.key?.description
    origin = run.origin
  }
}

extension Store {
  /// Returns the runs that are alive now and not in the background, in the order of their numbers.
  package func liveRuns() -> [LiveRun] {
    let runs = withFollowers(for: "liveRuns") { followers in
      followers.compactMap { $0 as? EffectRunner }.filter { !$0.isBackground }
        .flatMap(\.liveRuns)
    }
    // Keys describe themselves here, where the store is not locked: that is code of the user's.
    return (runs ?? []).map { LiveRun($0) }.sorted { $0.number < $1.number }
  }
}
