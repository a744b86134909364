import Store
import Synchronization

/// One effect at work in one store: starts its runs as actions come, and ends them.
///
/// What becomes of a run is decided by a state machine, which knows the policy; this does it.
final class EffectRunner: Follower {
  let store: any StoreReferencing
  let name: EffectName
  private let isInBackground = Atomic<Bool>(false)
  private let policy: EffectPolicy
  private let match: @Sendable (any Action.Type) -> EffectStart.Match?
  private let machine: Lock<EffectRunnerStateMachine<EffectRun>>
  private let timer = Lock<Timer?>(nil)
  private let spawned = Lock(EffectRunnerStateMachine<EffectRun>(policy: .every))
  /// The calls that its runs share.
  let sharedCalls = Lock(SharedCalls())

  init(
    store: any StoreReferencing, name: EffectName, policy: EffectPolicy,
    match: @escaping @Sendable (any Action.Type) -> EffectStart.Match?
  ) {
    self.store = store
    self.name = name
    self.policy = policy
    self.match = match
    machine = Lock(EffectRunnerStateMachine(policy: policy))
  }

  /// Whether nobody waits for its runs.
  var isBackground: Bool { isInBackground.load(ordering: .relaxed) }

  func handler(for type: any Action.Type) -> FollowUpHandler? {
    guard let match = match(type) else { return nil }
    return FollowUpHandler { [self] action, identity in
      guard let start = match(action) else { return nil }
      let run = EffectRun(
        runner: self, origin: identity, start: start, handlesFailures: type == EffectFailed.self)
      return FollowUp { run.runner.register(run, $0) }
    }
  }

  /// Called in the critical section of the action's commit, so a cancel can only come later.
  private func register(
    _ run: EffectRun, _ registration: Registration
  ) -> (@Sendable () -> Void)? {
    let arrival = machine.withLock { machine in
      machine.arrive(run, number: run.number, key: run.key, now: store.time.now)
    }
    if policy.isTimed { setTimer() }
    switch arrival {
    case .start(let start):
      for old in start.replaced + start.dropped { old.silence() }
      run.join(registration, at: start.place, replacing: start.replaced)
      guard !start.dropped.isEmpty else { return { run.open() } }
      return {
        for old in start.dropped { old.discard() }
        run.open()
      }
    case .wait(let turn, let dropped):
      for busy in turn?.runs ?? [] { busy.holdUp(turn?.turn) }
      let letGo = run.joinWaiting(registration, for: turn?.turn)
      guard !dropped.isEmpty || !letGo.isEmpty else { return nil }
      for old in dropped { old.silence() }
      return {
        for patience in letGo { patience.end() }
        for old in dropped { old.discard() }
      }
    case .refuse(.unwanted):
      return nil
    case .refuse(.queueIsFull):
      return { [policy] in run.fail(with: EffectQueueFull(policy), for: registration.lineage) }
    }
  }

  /// Called by a run when it has ended, whatever ended it.
  func didEnd(_ run: EffectRun) {
    // Keys are compared by code of the user's, whose calls to the store are to be found; and a run
    // that is taken from those that wait is started before anybody can cancel it.
    let starts =
      run.key == nil && !policy.hasTurns
      ? forget(run) : store.whileLocked { self.prepare(self.forget(run)) }
    begin(starts)
    if !isBackground, store.effects.didEnd() { store.checkRest() }
  }

  private func forget(_ run: EffectRun) -> [EffectRunnerStateMachine<EffectRun>.Start] {
    guard !run.isSpawned else {
      return spawned.withLock { $0.end(number: run.number, key: nil, at: run.place) }
    }
    return machine.withLock { $0.end(number: run.number, key: run.key, at: run.place) }
  }

  /// Lets runs that waited be started in follow-up; called in the critical section.
  private func prepare(
    _ starts: [EffectRunnerStateMachine<EffectRun>.Start]
  ) -> [EffectRunnerStateMachine<EffectRun>.Start] {
    for start in starts {
      for old in start.replaced { old.silence() }
      start.run.stopWaiting(at: start.place, replacing: start.replaced, holdingUp: start.turn)
    }
    return starts
  }

  /// Starts runs that waited, in follow-up.
  private func begin(_ starts: [EffectRunnerStateMachine<EffectRun>.Start]) {
    guard !starts.isEmpty else { return }
    store.followUp(
      starts.map { start in { start.run.open() } })
  }

  /// Sets a timer for what is due next, unless there is one that rings before.
  ///
  /// One timer for all keys, and none is set anew because an action puts something off: it rings,
  /// finds nothing due, and is set for what is.
  private func setTimer() {
    let old = timer.withLock { timer -> Timer? in
      // In one critical section: what is due next may change, and the last to look is right.
      let due = machine.withLock { $0.nextDue }
      if let due, let timer, timer.due <= due { return nil }
      defer { timer = due.map { makeTimer(for: $0) } }
      return timer
    }
    old?.task.cancel()
  }

  private func makeTimer(for due: Duration) -> Timer {
    let task = TaskOwner.without {
      Task.detached(executorPreference: store.executor) { [weak self, time = store.time] in
        // Cancelled, it has been replaced by another, or there is nothing to ring for.
        guard (try? await time.sleep(due)) != nil else { return }
        self?.ring(due)
      }
    }
    return Timer(due: due, task: task)
  }

  /// Does what is due.
  private func ring(_ due: Duration) {
    timer.withLock { if $0?.due == due { $0 = nil } }
    let now = store.time.now()
    begin(
      store.whileLocked {
        self.prepare(self.machine.withLock { $0.fire(now: now) })
      })
    setTimer()
  }

  private struct Timer {
    let due: Duration
    /// Ends when it rings, or is cancelled by the one that takes its place.
    let task: Task<Void, Never>
  }

  /// Starts a run of its own for what another run leaves behind.
  func spawn(
    _ body: @escaping EffectStart.Body, by parent: EffectRun
  ) {
    let run = EffectRun(
      runner: self, origin: parent.origin, start: EffectStart(key: nil, body: body),
      handlesFailures: parent.handlesFailures, isSpawned: true)
    let isTaken = store.withFollowers(for: "spawn") { _ in
      guard !parent.isOver, !parent.isCancelled else { return false }
      let lineage = parent.lineage ?? Lineage(parent: nil)
      let arrival = self.spawned.withLock { machine in
        machine.arrive(run, number: run.number, key: nil, now: { .zero })
      }
      guard case .start(let start) = arrival else { return false }
      run.join(
        Registration(lineage: lineage, isFollowedUpHere: false), at: start.place, replacing: [])
      return true
    }
    // In its turn, so that a run which spawns the next, and so on, takes no more stack than one.
    if isTaken == true { store.followUp([{ run.open() }]) }
  }

  /// Silences the selected runs and returns what to do about them when the store is unlocked.
  func silence(_ selection: EffectSelection) -> [@Sendable () -> Void] {
    if let name = selection.name, name != self.name { return [] }
    var runs = machine.withLock { $0.remove(key: selection.key) }
    if selection.key == nil { runs += spawned.withLock { $0.remove(key: nil) } }
    return silence(runs)
  }

  /// Silences the runs about the keys of which `predicate` is true.
  func silence(where predicate: @Sendable (any Hashable & Sendable) -> Bool)
    -> [@Sendable () -> Void]
  {
    silence(machine.withLock { $0.remove(whereKey: { $0.map { predicate($0.value) } ?? false }) })
  }

  private func silence(_ runs: [EffectRun]) -> [@Sendable () -> Void] {
    for run in runs {
      run.silence()
      run.holdUp(nil)
    }
    if policy.isTimed { setTimer() }
    return runs.map { run in { run.discard() } }
  }

  func inBackground() -> any Follower {
    isInBackground.store(true, ordering: .relaxed)
    return self
  }

  func silence(workFor completion: Completion?) -> [@Sendable () -> Void] {
    guard let completion else { return silence(.all) }
    let isMeant = { @Sendable (run: EffectRun) in run.lineage?.isAhead(of: completion) == true }
    var (runs, starts) = machine.withLock { $0.remove(where: isMeant) }
    starts = prepare(starts)
    let alone = spawned.withLock { $0.remove(where: isMeant).removed }
    let interruptions = silence(runs + alone)
    return starts.isEmpty ? interruptions : interruptions + [{ [starts] in self.begin(starts) }]
  }

  /// The runs that are alive, in no particular order, with the time at which they start if they wait
  /// for that.
  var liveRuns: [(run: EffectRun, due: Duration?)] {
    machine.withLock { $0.alive } + spawned.withLock { $0.alive }
  }

  func storeWillEnd() {
    for interrupt in silence(.all) { interrupt() }
  }
}
