public import Store
import Synchronization

/// One effect at work in one store: starts its runs as actions come, and ends them.
///
/// What becomes of a run is decided by a state machine, which knows the policy; this does it.
@usableFromInline
final class EffectRunner: Follower {
  let store: any StoreReferencing
  /// Kept from the store, as what each run needs.
  @usableFromInline let effects: EffectCount
  let (time, send): (StoreTime, Sending)
  let executor: (any TaskExecutor)?
  let name: EffectName
  private let isInBackground = Atomic<Bool>(false)
  /// Whether the actions that start its runs, which are of one type, are failures of effects.
  let handlesFailures = Atomic<Bool>(false)
  private let policy: EffectPolicy
  private let match: @Sendable (any Action.Type) -> EffectMatch?
  private let machine: Lock<EffectRunnerStateMachine<EffectRun>>
  private let timer = Lock<Timer?>(nil)
  /// The runs to which no policy applies: those that others spawned, and those that were refused.
  private let aside = Lock(EffectRunnerStateMachine<EffectRun>(policy: .every))
  /// The calls that its runs share.
  let sharedCalls = Lock(SharedCalls())

  init(
    store: any StoreReferencing, name: EffectName, policy: EffectPolicy,
    match: @escaping @Sendable (any Action.Type) -> EffectMatch?
  ) {
    self.store = store
    (effects, time, send, executor) = (store.effects, store.time, store.send, store.executor)
    self.name = name
    self.policy = policy
    self.match = match
    machine = Lock(EffectRunnerStateMachine(policy: policy))
  }

  /// Whether nobody waits for its runs.
  var isBackground: Bool { isInBackground.load(ordering: .relaxed) }

  @usableFromInline
  func handler(for type: any Action.Type) -> FollowUpHandler? {
    guard let match = match(type) else { return nil }
    if type == EffectFailed.self { handlesFailures.store(true, ordering: .relaxed) }
    return FollowUpHandler { [self] action, identity in match(action, identity, self) }
  }

  /// Takes in a run, or not; answers whether something is to be done when its turn comes.
  ///
  /// Called in the critical section of the action's commit, so a cancel can only come later.
  func register(_ run: EffectRun, _ registration: Registration) -> Bool {
    let arrival = machine.withLock { machine in
      machine.arrive(run, number: run.number, key: run.key, now: time.now)
    }
    if policy.isTimed { setTimer() }
    switch arrival {
    case .start(let place, let ending):
      for old in ending { old.silence() }
      run.join(registration, at: place, ending: ending)
      return true
    case .wait(let turn, let dropped):
      for busy in turn?.runs ?? [] { busy.holdUp(turn?.turn) }
      for old in dropped { old.silence() }
      return run.joinWaiting(registration, for: turn?.turn, ending: dropped)
    case .refuse(.unwanted):
      return false
    case .refuse(.queueIsFull):
      // Kept beside the others, so that it can be cancelled until it has told.
      let place = aside.withLock { $0.keep(run) }
      run.joinRefused(registration, at: place)
      return true
    }
  }

  /// Tells that a run was refused.
  func didRefuse(_ run: EffectRun) { run.fail(with: EffectQueueFull(policy)) }

  /// Forgets a run that has told that it was refused.
  func forgetRefused(_ run: EffectRun, at place: Int) {
    aside.withLock { _ = $0.end(number: run.number, key: nil, at: place) }
  }

  /// Called by a run when it has ended, whatever ended it, with the place where it was kept.
  func didEnd(_ run: EffectRun, at place: Int) {
    // Keys are compared by code of the user's, whose calls to the store are to be found; and a run
    // that is taken from those that wait is started before anybody can cancel it.
    // One that was cancelled was forgotten before, and need not contend for the lock of the store
    // with those that cancel others (`effect.cancel.100k`).
    if !run.isCancelled {
      if run.key == nil && !policy.hasTurns {
        _ = forget(run, at: place)
      } else {
        store.followUp(for: nil) {
          let starts = self.prepare(self.forget(run, at: place))
          // When it is noted who takes its place, and before that can begin and wait for others.
          run.holdUp(nil)
          return starts
        }
      }
    }
    if run.key != nil { releaseKeys() }
    if !isBackground, effects.didEnd() { store.checkRest() }
  }

  private func forget(
    _ run: EffectRun, at place: Int
  ) -> [EffectRunnerStateMachine<EffectRun>.Start] {
    guard !run.isSpawned else {
      return aside.withLock { $0.end(number: run.number, key: nil, at: place) }
    }
    return machine.withLock { $0.end(number: run.number, key: run.key, at: place) }
  }

  /// Returns the runs that waited, to be started in follow-up; called in the critical section.
  private func prepare(
    _ starts: [EffectRunnerStateMachine<EffectRun>.Start]
  ) -> [any FollowUp] {
    starts.map { start in
      for old in start.ending { old.silence() }
      start.run.stopWaiting(at: start.place, ending: start.ending, holdingUp: start.turn)
      return start.run
    }
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
      Task.detached(executorPreference: executor) { [weak self, time] in
        do {
          try await time.sleep(due)
        } catch {
          // Cancelled, it has been replaced by another, or there is nothing to ring for. A clock that
          // fails is no reason never to do what is due: it is done too early then.
          guard !Task.isCancelled else { return }
        }
        self?.ring(due)
      }
    }
    return Timer(due: due, task: task)
  }

  /// Does what is due.
  private func ring(_ due: Duration) {
    timer.withLock { if $0?.due == due { $0 = nil } }
    let now = max(time.now(), due)
    store.followUp(for: nil) { self.prepare(self.machine.withLock { $0.fire(now: now) }) }
    releaseKeys()
    setTimer()
  }

  private struct Timer {
    let due: Duration
    /// Ends when it rings, or is cancelled by the one that takes its place.
    let task: Task<Void, Never>
  }

  /// Starts a run of its own for what another run leaves behind.
  func spawn(
    _ body: @escaping EffectBody<Void>, by parent: EffectRun
  ) {
    let run = EffectRun(
      of: self, origin: parent.origin, key: nil, isSpawned: true, payload: (), body: body)
    // In its turn, so that a run which spawns the next, and so on, takes no more stack than one.
    store.followUp(for: "spawn") {
      guard !parent.isOver, !parent.isCancelled else { return [] }
      let lineage = parent.lineage ?? Lineage(parent: nil)
      let place = self.aside.withLock { $0.keep(run) }
      run.join(
        Registration(lineage: lineage, isFollowedUpHere: false), at: place, ending: [])
      return [run]
    }
  }

  /// Silences the selected runs and returns them, to be interrupted when the store is unlocked.
  func silence(_ selection: EffectSelection) -> [EffectRun] {
    if let name = selection.name, name != self.name { return [] }
    var runs = machine.withLock { $0.remove(key: selection.key) }
    if selection.key == nil { runs += aside.withLock { $0.remove(key: nil) } }
    silence(runs)
    return runs
  }

  /// Silences the runs about the keys of which `predicate` is true, and returns what to do about them
  /// when the store is unlocked.
  func silence(where predicate: @Sendable (any Hashable & Sendable) -> Bool)
    -> [@Sendable () -> Void]
  {
    interruptions(
      of: machine.withLock { $0.remove(whereKey: { $0.map { predicate($0.value) } ?? false }) })
  }

  private func interruptions(of runs: [EffectRun]) -> [@Sendable () -> Void] {
    silence(runs)
    return runs.map { run in { run.interrupt() } }
  }

  private func silence(_ runs: [EffectRun]) {
    for run in runs {
      run.silence()
      run.holdUp(nil)
    }
    if policy.isTimed { setTimer() }
  }

  @usableFromInline
  func inBackground() -> any Follower {
    isInBackground.store(true, ordering: .relaxed)
    return self
  }

  @usableFromInline
  func silence(
    workFor completion: Completion?, starting starts: inout [any FollowUp]
  ) -> [@Sendable () -> Void] {
    guard let completion else { return silence(.all).map { run in { run.interrupt() } } }
    let isMeant = { @Sendable (run: EffectRun) in run.lineage?.isAhead(of: completion) == true }
    let (removed, next) = machine.withLock { $0.remove(where: isMeant) }
    starts += prepare(next)
    return interruptions(of: removed + aside.withLock { $0.remove(where: isMeant).removed })
  }

  /// Releases keys that nothing is about any more; to be called where nothing is locked.
  func releaseKeys() {
    let keys = machine.withLock { $0.takeForgottenKeys() }
    _ = consume keys
  }

  /// The runs that are alive, in no particular order, with the time at which they start if they wait
  /// for that.
  var liveRuns: [(run: EffectRun, due: Duration?)] {
    machine.withLock { $0.alive } + aside.withLock { $0.alive }
  }

  @usableFromInline
  func storeWillEnd() {
    for run in silence(.all) { run.interrupt() }
    // The window of a throttle may still be open.
    let timer = timer.withLock { timer in
      defer { timer = nil }
      return timer
    }
    timer?.task.cancel()
  }
}

extension EffectRunnerStateMachine<EffectRun> {
  /// Takes in a run to which no policy applies, and returns its place.
  fileprivate mutating func keep(_ run: EffectRun) -> Int {
    switch arrive(run, number: run.number, key: nil, now: { .zero }) {
    case .start(let place, _): place
    case .wait, .refuse: preconditionFailure("a run was kept under a policy")
    }
  }
}
