public import Store

/// A run of an effect that was registered, has not ended and was not cancelled.
public struct LiveEffect: Sendable {
  /// The number of the run, counted from 1 in each store.
  public let number: UInt64
  /// The name of the effect.
  public let name: EffectName
  /// What the run is about; nil if the effect has no key.
  public let key: (any Hashable & Sendable)?
  /// The dispatch whose action started the run.
  public let origin: DispatchIdentity
  /// How long ago that was, by the store's clock; counted from its first suspension if it began at
  /// once, and zero before.
  public let age: Duration
  /// Which attempt of a retry it is at, counted from 1.
  public let attempt: Int
  /// What it waits for, in the order in which it began to, and last ``EffectWait/outside`` if that is
  /// not known of its body, a fork or a contender of a race.
  ///
  /// Of tasks that the body makes itself nothing is known but when they wait for the library, which
  /// is taken for a wait of the body's.
  public let waits: [EffectWait]
  /// Whether it is an effect declared `background()`.
  public let isBackground: Bool

  /// Describes a run, which starts at `due` if it waits for a time.
  init(_ run: EffectRun, due: Duration?, now: Duration) {
    number = run.number
    name = run.name
    key = run.key?.value
    origin = run.origin
    age = run.begin.map { now - $0 } ?? .zero
    attempt = run.attempt
    waits = due.map { [.time($0)] } ?? run.waits
    isBackground = run.runner.isBackground
  }
}

extension LiveEffect: CustomStringConvertible {
  /// Who it is, where it came from, and what it waits for.
  public var description: String {
    let key = key.map { " (key \($0))" } ?? ""
    let attempt = attempt > 1 ? ", attempt \(attempt)" : ""
    let waits = waits.map(\.description).joined(separator: " and ")
    return "‘\(name)’\(key), started \(age.inSeconds) s ago by \(origin)\(attempt), \(waits)"
  }
}

extension Store {
  /// Returns the runs of effects that are alive now, in the order of their numbers.
  ///
  /// For a look at what a store is at, in a debugger, a log or a test; it may have changed when this
  /// returns.
  public func liveEffects() -> [LiveEffect] {
    let found = withFollowers(for: "liveEffects") { followers in
      followers.compactMap { $0 as? EffectRunner }.flatMap(\.liveRuns)
    }
    // What describes itself does so where the store is not locked: that is code of the user's.
    return (found ?? []).map { LiveEffect($0.run, due: $0.due, now: $0.run.store.time.now()) }
      .sorted { $0.number < $1.number }
  }
}
