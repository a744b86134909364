/// Which runs of one effect are alive, and what their policy makes of the next: a pure value.
///
/// A run is in one of two states, of which each can only be left for good: *alive*, from
/// ``arrive``, until ``end`` or ``remove``; then *forgotten*. A run is known by its number, so the
/// end of an old one never touches a newer one of the same key.
struct EffectRunnerStateMachine<Run> {
  private var runs: [EffectKey: [UInt64: Run]] = [:]

  /// What to do about a run that has just arrived.
  enum Arrival {
    /// Start it in its turn, after ending those it replaces.
    case start(replacing: [Run])
  }

  /// Takes in a run, and forgets those that it replaces.
  mutating func arrive(
    _ run: Run, number: UInt64, key: EffectKey, policy: EffectPolicy
  ) -> Arrival {
    switch policy.kind {
    case .every:
      runs[key, default: [:]][number] = run
      return .start(replacing: [])
    case .latest:
      let replaced = runs.updateValue([number: run], forKey: key)
      return .start(replacing: replaced.map { Array($0.values) } ?? [])
    }
  }

  /// Forgets a run that has ended; one that was removed before is no error.
  mutating func end(number: UInt64, key: EffectKey) {
    guard runs[key]?.removeValue(forKey: number) != nil else { return }
    if runs[key]?.isEmpty == true { runs[key] = nil }
  }

  /// Forgets the runs about `key`, or all, and returns them in the order they arrived.
  mutating func remove(key: EffectKey?) -> [Run] {
    let removed: [UInt64: Run]
    if let key {
      removed = runs.removeValue(forKey: key) ?? [:]
    } else {
      removed = runs.values.reduce(into: [:]) { all, runs in all.merge(runs) { run, _ in run } }
      runs = [:]
    }
    return removed.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Forgets the runs of which `predicate` is true, and returns them in the order they arrived.
  mutating func remove(where predicate: (Run) -> Bool) -> [Run] {
    var removed: [(number: UInt64, key: EffectKey, run: Run)] = []
    for (key, runs) in runs {
      for (number, run) in runs where predicate(run) { removed.append((number, key, run)) }
    }
    for (number, key, _) in removed { end(number: number, key: key) }
    return removed.sorted { $0.number < $1.number }.map(\.run)
  }

  /// The runs that are alive, in no particular order.
  var alive: [Run] { runs.values.flatMap { $0.values } }

  /// Whether nothing is remembered.
  var isEmpty: Bool { runs.isEmpty }
}
