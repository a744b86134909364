import Store

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
    var waiting = WaitingRuns<Run>()
    /// When something happens by itself, if that is to be: a waiting run starts, or a window closes.
    var due: Duration?
    /// When the first of the actions came that have waited since the last run.
    var waitingSince: Duration?
    /// When it is its turn; see ``LaneTimers``.
    var timer = LaneTimer()
    /// The turn that the waiting runs wait for, if they wait for the end of one that is running.
    var turn: Completion?

    var isEmpty: Bool { running.isEmpty && waiting.isEmpty && due == nil }
  }

  /// A run that waited, to be started in its turn.
  struct Start: Sendable {
    let run: Run
    /// Where it is kept, to be told when it ends.
    let place: Int
    /// The runs to be ended before it starts.
    var ending: [Run] = []
    /// The turn of others, which comes when it ends.
    var turn: Completion?
  }

  /// What to do about a run that has just arrived.
  enum Arrival {
    /// Start it, when these have been ended.
    case start(place: Int, ending: [Run])
    /// Keep it until it is started, and end these, which waited in its place.
    case wait(for: Turn?, dropping: [Run])
    /// It is not to run.
    case refuse(EffectRefusal)
  }

  /// What a run waits for, if it does not wait for a time.
  struct Turn {
    let turn: Completion
    /// The runs by the end of one of which it comes, if that was not said before.
    let runs: [Run]
  }

  private let policy: EffectPolicy
  /// The runs of an effect without key.
  private var ownLane = Lane()
  private var lanes: [EffectKey: Lane] = [:]
  /// When something happens in which lane.
  private var timers = LaneTimers()
  /// The keys of lanes that were forgotten, which are code of the user's when they are released.
  private var forgottenKeys: [EffectKey] = []

  init(policy: EffectPolicy) { self.policy = policy }

  /// Takes in a run, and forgets those that it replaces; asks for the time only if the policy needs
  /// it.
  mutating func arrive(
    _ run: Run, number: UInt64, key: EffectKey?, now: () -> Duration
  ) -> Arrival {
    defer { setTimer(key: key) }
    guard let key else { return ownLane.arrive(run, number: number, policy: policy, now: now) }
    return lanes[key, default: Lane()].arrive(run, number: number, policy: policy, now: now)
  }

  /// When ``fire(now:)`` is to be called next, if at all; it may be that nothing is due then.
  var nextDue: Duration? { timers.nextDue }

  /// Lets happen what is due.
  mutating func fire(now: Duration) -> [Start] {
    var starts: [Start] = []
    while let ring = timers.removeFirst(dueBy: now) {
      let key = ring.value
      if let key {
        if let start = lanes[key]?.ring(ring.id, now: now, policy: policy) { starts.append(start) }
      } else if let start = ownLane.ring(ring.id, now: now, policy: policy) {
        starts.append(start)
      }
      setTimer(key: key)
    }
    return starts
  }

  /// Sets the timer of a lane for when something is due there, and forgets the lane if it is empty.
  private mutating func setTimer(key: EffectKey?) {
    if policy.isTimed {
      if let key {
        if let index = lanes.index(forKey: key) {
          let due = lanes.values[index].due
          // The lane's own key, so that it is the last to be released.
          timers.set(&lanes.values[index].timer, for: due, key: lanes.keys[index])
        }
      } else {
        timers.set(&ownLane.timer, for: ownLane.due, key: nil)
      }
    }
    forgetIfEmpty(key)
  }

  private mutating func forgetIfEmpty(_ key: EffectKey?) {
    guard let key, let index = lanes.index(forKey: key), lanes.values[index].isEmpty else { return }
    forgetLane(at: index)
  }

  private mutating func forgetLane(at index: Dictionary<EffectKey, Lane>.Index) {
    forgottenKeys.append(lanes.remove(at: index).key)
  }

  /// Returns keys to be released where nothing is locked.
  mutating func takeForgottenKeys() -> [EffectKey] {
    guard !forgottenKeys.isEmpty else { return [] }
    defer { forgottenKeys = [] }
    return forgottenKeys
  }

  /// Forgets a run that has ended; one that was removed before is no error.
  ///
  /// - Returns: the runs that waited for its end.
  mutating func end(number: UInt64, key: EffectKey?, at place: Int) -> [Start] {
    guard let key else { return ownLane.end(number: number, at: place, policy: policy) }
    defer { forgetIfEmpty(key) }
    return lanes[key]?.end(number: number, at: place, policy: policy) ?? []
  }

  /// Forgets the runs about `key`, or all, and returns them in the order they arrived.
  mutating func remove(key: EffectKey?) -> [Run] {
    guard let key else { return remove(whereKey: { _ in true }) }
    return removeLane(key).inOrder()
  }

  /// Forgets the runs in a lane, and the lane with them, and returns them.
  private mutating func removeLane(_ key: EffectKey) -> [(number: UInt64, element: Run)] {
    guard let index = lanes.index(forKey: key) else { return [] }
    let removed = lanes.values[index].removeAll(policy: policy)
    if policy.isTimed { setTimer(key: key) } else { forgetLane(at: index) }
    return removed
  }

  /// Forgets the runs about the keys of which `predicate` is true, nil being the key of an effect
  /// without one, and returns them in the order they arrived.
  mutating func remove(whereKey predicate: (EffectKey?) -> Bool) -> [Run] {
    var removed: [(number: UInt64, element: Run)] = []
    if predicate(nil) {
      removed += ownLane.removeAll(policy: policy)
      setTimer(key: nil)
    }
    for key in Array(lanes.keys) where predicate(key) { removed += removeLane(key) }
    return removed.inOrder()
  }

  /// Forgets the runs of which `predicate` is true.
  ///
  /// - Returns: those runs, in the order they arrived, and the ones that waited for their end.
  mutating func remove(where predicate: (Run) -> Bool) -> (removed: [Run], starts: [Start]) {
    var (removed, starts) = ownLane.remove(where: predicate, policy: policy)
    setTimer(key: nil)
    for key in Array(lanes.keys) {
      let (runs, next) = lanes[key]?.remove(where: predicate, policy: policy) ?? ([], [])
      removed += runs
      starts += next
      setTimer(key: key)
    }
    return (removed.inOrder(), starts)
  }

  /// The runs that are alive, in no particular order, with the time at which they start if they wait
  /// for that.
  var alive: [(run: Run, due: Duration?)] {
    ([ownLane] + lanes.values).flatMap { $0.alive(waitingForTime: policy.isTimed) }
  }

  /// Whether nothing is remembered.
  var isEmpty: Bool { ownLane.isEmpty && lanes.isEmpty && timers.isEmpty }
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
    _ run: Run, number: UInt64, policy: EffectPolicy, now: () -> Duration
  ) -> Machine.Arrival {
    switch policy.kind {
    case .debounce(let window, let maxWait):
      return debounce(run, number: number, window: window, maxWait: maxWait, now: now())
    case .throttle(let window, let edges):
      return throttle(run, number: number, window: window, edges: edges, now: now())
    case .every:
      return start(run, number: number)
    case .latest:
      return startReplacing(run, number: number)
    case .leading:
      return running.isEmpty ? start(run, number: number) : .refuse(.unwanted)
    case .keepLatest:
      return running.isEmpty
        ? start(run, number: number)
        : waitAlone(run, number: number, for: takeTurn())
    case .queue(let limit, let capacity, let overflow):
      if running.count < limit { return start(run, number: number) }
      guard waiting.count >= capacity else {
        waiting.append(run, number: number)
        return .wait(for: takeTurn(), dropping: [])
      }
      switch overflow.kind {
      case .dropNewest: return .refuse(.unwanted)
      case .fail: return .refuse(.queueIsFull)
      case .dropOldest:
        guard let oldest = waiting.popFirst() else { return .refuse(.unwanted) }
        waiting.append(run, number: number)
        return .wait(for: takeTurn(), dropping: [oldest.element])
      }
    }
  }

  fileprivate mutating func end(
    number: UInt64, at place: Int, policy: EffectPolicy
  ) -> [Machine.Start] {
    guard running.remove(number: number, at: place) != nil else { return [] }
    return startWaiting(policy: policy)
  }

  fileprivate mutating func removeAll(
    policy: EffectPolicy
  ) -> [(number: UInt64, element: Run)] {
    (waitingSince, turn) = (nil, nil)
    // The window of a throttle stays open, or who starts and cancels would start at will.
    if case .throttle = policy.kind {} else { due = nil }
    let running = running.removeAll()
    return waiting.isEmpty ? running : running + waiting.removeAll()
  }

  fileprivate mutating func remove(
    where predicate: (Run) -> Bool, policy: EffectPolicy
  ) -> (removed: [(number: UInt64, element: Run)], starts: [Machine.Start]) {
    var removed = waiting.removeAll(where: predicate)
    for (place, entry) in running.places where predicate(entry.element) {
      _ = running.remove(number: entry.number, at: place)
      removed.append((entry.number, entry.element))
    }
    if case .debounce = policy.kind, waiting.isEmpty { (due, waitingSince) = (nil, nil) }
    return (removed, startWaiting(policy: policy))
  }

  /// Starts the run that has waited until `due`, if that is what the timer of this number rings for.
  fileprivate mutating func ring(
    _ timerID: UInt64, now: Duration, policy: EffectPolicy
  ) -> Machine.Start? {
    guard timer.rings(timerID) else { return nil }
    (due, waitingSince) = (nil, nil)
    guard let (number, run) = waiting.popFirst() else { return nil }
    if case .throttle(let window, _) = policy.kind {
      self.due = now + window
      return Machine.Start(run: run, place: running.insert(run, number: number))
    }
    let replaced = takeRunning()
    return Machine.Start(
      run: run, place: running.insert(run, number: number), ending: replaced)
  }

  /// Lets a run wait until no other has come for `window`, or until one has waited for `maxWait`.
  private mutating func debounce(
    _ run: Run, number: UInt64, window: Duration, maxWait: Duration?, now: Duration
  ) -> Machine.Arrival {
    guard window > .zero else { return startReplacing(run, number: number) }
    let since = waitingSince ?? now
    waitingSince = since
    due = maxWait.map { min(now + window, since + max($0, .zero)) } ?? now + window
    return waitAlone(run, number: number, for: nil)
  }

  /// Starts a run if no window is open, and opens one; otherwise lets it wait for its end, or not.
  private mutating func throttle(
    _ run: Run, number: UInt64, window: Duration, edges: EffectPolicy.Edges, now: Duration
  ) -> Machine.Arrival {
    guard window > .zero else { return start(run, number: number) }
    if let due, now < due {
      return edges.hasTrailing
        ? waitAlone(run, number: number, for: nil) : .refuse(.unwanted)
    }
    due = now + window
    guard edges.hasLeading || !waiting.isEmpty else {
      return waitAlone(run, number: number, for: nil)
    }
    // One that waited for this very moment gives way to the newer.
    return start(run, number: number, ending: waiting.removeAll().inOrder())
  }

  fileprivate func alive(waitingForTime: Bool) -> [(run: Run, due: Duration?)] {
    running.all.map { ($0.element, nil) }
      + waiting.all.map { ($0.element, waitingForTime ? due : nil) }
  }

  /// The turn that those wait for who wait for the end of a run.
  private mutating func takeTurn() -> Machine.Turn {
    if let turn { return Machine.Turn(turn: turn, runs: []) }
    let turn = Completion()
    self.turn = turn
    return Machine.Turn(turn: turn, runs: running.all.map { $0.element })
  }

  private mutating func start(
    _ run: Run, number: UInt64, ending: [Run] = []
  ) -> Machine.Arrival {
    .start(place: running.insert(run, number: number), ending: ending)
  }

  private mutating func startReplacing(_ run: Run, number: UInt64) -> Machine.Arrival {
    start(run, number: number, ending: takeRunning())
  }

  /// Removes the runs that are running and returns them in the order they arrived.
  private mutating func takeRunning() -> [Run] {
    running.removeAll().inOrder()
  }

  /// Lets a run wait instead of the one that did.
  private mutating func waitAlone(
    _ run: Run, number: UInt64, for turn: Machine.Turn?
  ) -> Machine.Arrival {
    .wait(for: turn, dropping: waiting.replaceAll(by: run, number: number))
  }

  /// Starts as many of those that wait as their policy allows.
  private mutating func startWaiting(policy: EffectPolicy) -> [Machine.Start] {
    guard !policy.isTimed else { return [] }
    guard !waiting.isEmpty else {
      turn = nil
      return []
    }
    let limit = if case .queue(let limit, _, _) = policy.kind { limit } else { 1 }
    var starts: [Machine.Start] = []
    while running.count < limit, let (number, run) = waiting.popFirst() {
      starts.append(Machine.Start(run: run, place: running.insert(run, number: number)))
    }
    if waiting.isEmpty { turn = nil }
    for index in starts.indices { starts[index].turn = turn }
    return starts
  }
}

extension Array {
  /// The runs in the order of their numbers.
  fileprivate func inOrder<Run>() -> [Run] where Element == (number: UInt64, element: Run) {
    let sorted = count > 1 ? sorted { $0.number < $1.number } : self
    return sorted.map { $0.element }
  }
}
