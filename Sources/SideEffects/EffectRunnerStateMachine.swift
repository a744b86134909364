/// Which runs of one effect are alive, and what their policy makes of the next: a pure value.
///
/// A run is *waiting* or *running*, from ``arrive`` until ``end`` or one of the removals; then it is
/// forgotten. A run is known by its number, so the end of an old one never touches a newer one.
///
/// Each key has a ``Lane`` of its own, which is forgotten when it is empty.
struct EffectRunnerStateMachine<Run: Sendable> {
  /// The runs that are about one thing.
  struct Lane {
    var running = Slots<Run>()
    /// The oldest first.
    var waiting: [(number: UInt64, run: Run)] = []

    var isEmpty: Bool { running.isEmpty && waiting.isEmpty }
  }

  /// A run to be started in its turn.
  struct Start: Sendable {
    let run: Run
    /// Where it is kept, to be told when it ends.
    let place: Int
    /// The runs to be ended before it starts.
    var replaced: [Run] = []
  }

  /// What to do about a run that has just arrived.
  enum Arrival {
    case start(Start)
    /// Keep it until it is started, and end these, which waited in its place.
    case wait(dropping: [Run])
    /// It is not to run.
    case refuse(EffectRefusal)
  }

  private let policy: EffectPolicy
  /// The runs of an effect without key.
  private var ownLane = Lane()
  private var lanes: [EffectKey: Lane] = [:]

  init(policy: EffectPolicy) { self.policy = policy }

  /// Takes in a run, and forgets those that it replaces.
  mutating func arrive(_ run: Run, number: UInt64, key: EffectKey?) -> Arrival {
    guard let key else { return ownLane.arrive(run, number: number, policy: policy) }
    return lanes[key, default: Lane()].arrive(run, number: number, policy: policy)
  }

  /// Forgets a run that has ended; one that was removed before is no error.
  ///
  /// - Returns: the runs that waited for its end.
  mutating func end(number: UInt64, key: EffectKey?, at place: Int) -> [Start] {
    guard let key else { return ownLane.end(number: number, at: place, policy: policy) }
    defer { if lanes[key]?.isEmpty == true { lanes[key] = nil } }
    return lanes[key]?.end(number: number, at: place, policy: policy) ?? []
  }

  /// Forgets the runs about `key`, or all, and returns them in the order they arrived.
  mutating func remove(key: EffectKey?) -> [Run] {
    var removed: [(number: UInt64, element: Run)] = []
    if let key {
      removed =
        lanes.removeValue(forKey: key).map { lane in
          var lane = lane
          return lane.removeAll()
        } ?? []
    } else {
      removed = ownLane.removeAll()
      for key in lanes.keys { removed += lanes[key]?.removeAll() ?? [] }
      lanes = [:]
    }
    return removed.sorted { $0.number < $1.number }.map(\.element)
  }

  /// Forgets the runs of which `predicate` is true.
  ///
  /// - Returns: those runs, in the order they arrived, and the ones that waited for their end.
  mutating func remove(where predicate: (Run) -> Bool) -> (removed: [Run], starts: [Start]) {
    var (removed, starts) = ownLane.remove(where: predicate, policy: policy)
    for key in Array(lanes.keys) {
      let (runs, next) = lanes[key]?.remove(where: predicate, policy: policy) ?? ([], [])
      removed += runs
      starts += next
      if lanes[key]?.isEmpty == true { lanes[key] = nil }
    }
    return (removed.sorted { $0.number < $1.number }.map(\.run), starts)
  }

  /// The runs that are alive, in no particular order.
  var alive: [Run] { ([ownLane] + lanes.values).flatMap(\.alive) }

  /// Whether nothing is remembered.
  var isEmpty: Bool { ownLane.isEmpty && lanes.isEmpty }
}

/// Why a run was not taken in.
enum EffectRefusal {
  /// Another one is running, and this one was not wanted meanwhile.
  case unwanted
  /// As many are waiting as may.
  case queueIsFull
}

extension EffectRunnerStateMachine.Lane {
  typealias Machine = EffectRunnerStateMachine<Run>

  fileprivate mutating func arrive(
    _ run: Run, number: UInt64, policy: EffectPolicy
  ) -> Machine.Arrival {
    switch policy.kind {
    case .every:
      return .start(start(run, number: number))
    case .latest:
      return .start(startReplacing(run, number: number))
    case .leading:
      return running.isEmpty ? .start(start(run, number: number)) : .refuse(.unwanted)
    case .keepLatest:
      guard running.isEmpty else { return waitAlone(run, number: number) }
      return .start(start(run, number: number))
    case .queue(let limit, let capacity, let overflow):
      if running.count < limit { return .start(start(run, number: number)) }
      guard waiting.count >= capacity else {
        waiting.append((number, run))
        return .wait(dropping: [])
      }
      switch overflow.kind {
      case .dropNewest: return .refuse(.unwanted)
      case .fail: return .refuse(.queueIsFull)
      case .dropOldest:
        guard !waiting.isEmpty else { return .refuse(.unwanted) }
        let oldest = waiting.removeFirst()
        waiting.append((number, run))
        return .wait(dropping: [oldest.run])
      }
    }
  }

  fileprivate mutating func end(
    number: UInt64, at place: Int, policy: EffectPolicy
  ) -> [Machine.Start] {
    guard running.remove(number: number, at: place) != nil else { return [] }
    return waiting.isEmpty ? [] : startWaiting(policy: policy)
  }

  fileprivate mutating func removeAll() -> [(number: UInt64, element: Run)] {
    defer { waiting = [] }
    return running.removeAll() + waiting.map { ($0.number, $0.run) }
  }

  fileprivate mutating func remove(
    where predicate: (Run) -> Bool, policy: EffectPolicy
  ) -> (removed: [(number: UInt64, run: Run)], starts: [Machine.Start]) {
    var removed: [(number: UInt64, run: Run)] = []
    waiting.removeAll { entry in
      guard predicate(entry.run) else { return false }
      removed.append(entry)
      return true
    }
    for (place, entry) in running.places where predicate(entry.element) {
      _ = running.remove(number: entry.number, at: place)
      removed.append((entry.number, entry.element))
    }
    return (removed, startWaiting(policy: policy))
  }

  fileprivate var alive: [Run] { running.all.map(\.element) + waiting.map(\.run) }

  private mutating func start(_ run: Run, number: UInt64) -> Machine.Start {
    Machine.Start(run: run, place: running.insert(run, number: number))
  }

  private mutating func startReplacing(_ run: Run, number: UInt64) -> Machine.Start {
    let replaced = running.removeAll().sorted { $0.number < $1.number }.map(\.element)
    return Machine.Start(
      run: run, place: running.insert(run, number: number), replaced: replaced)
  }

  /// Lets a run wait instead of the one that did.
  private mutating func waitAlone(_ run: Run, number: UInt64) -> Machine.Arrival {
    defer { waiting = [(number, run)] }
    return .wait(dropping: waiting.map(\.run))
  }

  /// Starts as many of those that wait as their policy allows.
  private mutating func startWaiting(policy: EffectPolicy) -> [Machine.Start] {
    let limit = if case .queue(let limit, _, _) = policy.kind { limit } else { 1 }
    var starts: [Machine.Start] = []
    while running.count < limit, !waiting.isEmpty {
      let (number, run) = waiting.removeFirst()
      starts.append(start(run, number: number))
    }
    return starts
  }
}
