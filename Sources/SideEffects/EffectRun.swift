public import Store
public import Synchronization

/// One run of an effect.
///
/// When the dispatch that caused it does the follow-up itself, its task is made when its turn comes:
/// there it finds the task-local values and the priority of that dispatch. Otherwise the task is
/// made when the run is registered, and held until its turn.
@usableFromInline
final class EffectRun: EffectSender, FollowUp {
  let runner: EffectRunner
  @usableFromInline let number: UInt64
  @usableFromInline let origin: DispatchIdentity
  let key: EffectKey?
  /// Makes its task, to be held; or, if nothing holds it, lets that run up to its first suspension.
  ///
  /// A platform that lacks `Task.immediate` has all of them held.
  private let makeTask: @Sendable (EffectRun, HeldTask?) -> Task<Void, Never>?
  /// Whether no policy applies to it.
  let isSpawned: Bool
  @usableFromInline let cancelled = Atomic<Bool>(false)
  /// Whether the body has returned, or will never run.
  let over = Atomic<Bool>(false)
  @usableFromInline let hasForked = Atomic<Bool>(false)
  let currentAttempt = Atomic<Int>(1)
  let progress = Lock(Progress())

  @usableFromInline
  init(
    of runner: EffectRunner, number: UInt64, origin: DispatchIdentity, key: EffectKey?,
    isSpawned: Bool,
    makeTask: @escaping @Sendable (EffectRun, HeldTask?) -> Task<Void, Never>?
  ) {
    self.runner = runner
    self.origin = origin
    self.key = key
    self.isSpawned = isSpawned
    self.makeTask = makeTask
    self.number = number
  }

  @usableFromInline var store: any StoreReferencing { runner.store }
  @usableFromInline var name: EffectName { runner.name }
  @inlinable var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
  @usableFromInline var lineage: Lineage? { progress.withLock { $0.lineage } }
  @usableFromInline var ending: Completion {
    progress.withLock { $0.makeDetails().end }
  }
  /// When its age began to count, since the store was made; nil while it has not suspended.
  var begin: Duration? { progress.withLock { $0.begin } }
  /// Whether the body has returned, or will never run.
  var isOver: Bool { over.load(ordering: .acquiring) }

  @usableFromInline
  func register(_ registration: Registration) -> Bool { runner.register(self, registration) }

  /// Takes the run into the store, to be started in its turn.
  ///
  /// Called in the store's critical section: the order of effects is that of their registration,
  /// and whoever finds a run in the registry can end it.
  func join(_ registration: Registration, at place: Int, ending runs: [EffectRun]) {
    let keepsContext = registration.isFollowedUpHere && runner.executor == nil
    join(registration, held: keepsContext ? nil : hold(), ending: runs) { $0.place = place }
  }

  /// Takes the run into the store, to be started when it may; answers whether something is to be
  /// done in its turn all the same.
  func joinWaiting(
    _ registration: Registration, for turn: Completion?, ending runs: [EffectRun]
  ) -> Bool {
    join(registration, held: hold(), ending: runs) { progress in
      progress.isWaiting = true
      if let turn { progress.makeDetails().awaitedTurn = turn }
    }
    let letGo = turn.map { waits(for: $0) } ?? []
    if !letGo.isEmpty { progress.withLock { $0.makeDetails().letGo = letGo } }
    return !runs.isEmpty || !letGo.isEmpty
  }

  private func join(
    _ registration: Registration, held: HeldTask?, ending runs: [EffectRun],
    _ change: (inout Progress) -> Void
  ) {
    let isAwaited = !runner.isBackground
    if isAwaited { runner.effects.didRegister() }
    progress.withLock { progress in
      if isAwaited { progress.lineage = registration.lineage }
      if let held { (progress.held, progress.begin) = (held, runner.time.now()) }
      if !runs.isEmpty { progress.ending = runs }
      change(&progress)
    }
  }

  /// Lets the run tell in its turn that it is not to run, unless it is cancelled before.
  func joinRefused(_ registration: Registration, at place: Int) {
    progress.withLock { progress in
      (progress.lineage, progress.isRefused, progress.place) = (registration.lineage, true, place)
    }
  }

  private func hold() -> HeldTask {
    HeldTask(on: runner.executor) { [self] in makeTask(self, $0) }
  }

  /// Notes that the run may start when its turn comes; called in the critical section.
  func stopWaiting(at place: Int, ending runs: [EffectRun], holdingUp turn: Completion?) {
    let awaited = progress.withLock { progress in
      defer { progress.details?.awaitedTurn = nil }
      progress.isWaiting = false
      progress.place = place
      progress.ending += runs
      return progress.details?.awaitedTurn
    }
    if let awaited { waitsNoLonger(for: awaited) }
    if let turn { holdUp(turn) }
  }

  /// Notes that a turn comes by the end of this run, and no other does.
  func holdUp(_ turn: Completion?) {
    progress.withLock { $0.holdUp(turn) }
  }

  /// Interrupts those that make way, and opens the run unless it waits for more than its turn.
  @usableFromInline
  func perform() {
    let (ending, letGo, isRefused, opening) = progress.withLock { progress in
      let (ending, letGo) = (progress.ending, progress.details?.letGo)
      progress.ending = []
      progress.details?.letGo = []
      let opens = !progress.isRefused && !progress.isWaiting
      return (ending, letGo, progress.isRefused, opens ? progress.open() : nil)
    }
    if let letGo { for patience in letGo { patience.end() } }
    for old in ending { old.interrupt() }
    if let opening { go(on: opening) }
    guard isRefused else { return }
    runner.didRefuse(self)
    let (lineage, place) = progress.withLock { progress in
      defer { progress.lineage = nil }
      return (progress.lineage, progress.place)
    }
    runner.forgetRefused(self, at: place)
    _ = lineage
  }

  /// Runs the body up to its first suspension, or does without if the run was cancelled.
  private func go(on opening: Progress.Opening) {
    switch opening {
    case .held(let task): task.open()
    case .new where isCancelled: end()
    case .new: start()
    }
  }

  private func start() {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      let task = hold()
      progress.withLock { $0.held = task }
      // Whoever cancelled it meanwhile did not find the task, which looks itself.
      return task.open()
    }
    let task = makeTask(self, nil)
    guard !isOver else { return }
    let now = runner.time.now()
    progress.withLock { progress in
      if !over.load(ordering: .relaxed) { (progress.started, progress.begin) = (task, now) }
    }
    // Whoever cancelled it meanwhile did not find the task.
    if isCancelled || progress.withLock({ $0.details?.forkFailure != nil }) { task?.cancel() }
  }

  /// What the task of the run does.
  @inlinable @inline(__always)
  func execute(_ body: (EffectContext) async throws -> Void) async {
    if !isCancelled {
      await CurrentEffect.local.withValue(self) {
        var failure: (any Error)?
        do { try await body(EffectContext(run: self)) } catch { failure = error }
        if failure != nil || hasForked.load(ordering: .acquiring) { await settle(after: failure) }
      }
    }
    end()
  }

  /// The same for a task that is held, which a test may watch.
  @usableFromInline
  func executeHeld(_ body: (EffectContext) async throws -> Void) async {
    guard runner.executor != nil else { return await execute(body) }
    await store.watchingTask(of: owner) { await execute(body) }
  }

  /// Waits for what the body left behind, and tells what went wrong.
  @usableFromInline
  func settle(after failure: (any Error)?) async {
    var failure = failure
    if hasForked.load(ordering: .acquiring) { failure = await endForks(after: failure) }
    if let failure { fail(with: failure) }
  }

  /// Lets nothing more of the run be reduced; to be called in the store's critical section.
  func silence() { cancelled.store(true, ordering: .releasing) }

  /// Ends a run that was silenced, and those that were to make way for it, also if they wait for
  /// their turn in vain.
  func interrupt() {
    var (next, runs) = (Optional(self), [EffectRun]())
    while let run = next {
      let (tasks, forks, opening, ending) = run.progress.withLock { progress in
        defer { progress.ending = [] }
        return (
          (progress.held, progress.started), progress.details?.forks.values,
          progress.isWaiting ? progress.open() : nil, progress.ending
        )
      }
      tasks.0?.cancel()
      tasks.1?.cancel()
      if let forks { for fork in forks { fork.cancel() } }
      if let opening { run.go(on: opening) }
      if !ending.isEmpty { runs += ending }
      next = runs.popLast()
    }
    if key != nil { runner.releaseKeys() }
  }

  @usableFromInline
  func end() {
    // What ends here is released when the run is forgotten, and its lock is not held.
    let (tasks, lineage, turn, forks, place) = progress.withLock { progress in
      over.store(true, ordering: .releasing)
      progress.isClosed = true
      defer {
        (progress.lineage, progress.held, progress.started) = (nil, nil, nil)
        progress.details?.awaitedTurn = nil
      }
      return (
        (progress.held, progress.started), progress.lineage, progress.details?.awaitedTurn,
        progress.details?.forks.values, progress.place
      )
    }
    if let turn { waitsNoLonger(for: turn) }
    // A task that the body left behind may have made one while the others were awaited.
    if let forks { for fork in forks { fork.cancel() } }
    runner.didEnd(self, at: place)
    _ = (tasks, lineage)
  }

  /// Sends an action for the body.
  func send(_ action: any Action, from source: SourceLine) -> DispatchHandle {
    // A run that was cancelled stays so when it is over.
    guard !isCancelled, !isOver else {
      let action = String(describing: type(of: action))
      store.report(
        isCancelled
          ? .actionAfterEffectCancelled(
            action: action, effect: name, origin: origin, source: source)
          : .actionAfterEffectEnded(action: action, effect: name, origin: origin, source: source))
      return .finished
    }
    return runner.send(action, source, Sender(effect: self))
  }

  /// Turns what the body threw into an action, unless it threw because it was cancelled.
  func fail(with error: any Error) {
    guard !isCancelled else { return }
    guard !runner.handlesFailures.load(ordering: .relaxed) else {
      return store.report(
        .failureHandlerFailed(effect: name, origin: origin, error: String(describing: error)))
    }
    let failure = EffectFailed(
      name: name, key: key?.value, origin: origin, attempt: attempt, error: error)
    _ = runner.send(failure, origin.source, Sender(effect: self))
    if !store.handles(EffectFailed.self) {
      store.report(
        .unhandledEffectFailure(effect: name, origin: origin, error: String(describing: error)))
    }
  }
}
