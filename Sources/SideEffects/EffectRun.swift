import Store
import Synchronization

/// One run of an effect.
///
/// When the dispatch that caused it does the follow-up itself, its task is made when its turn comes:
/// there it finds the task-local values and the priority of that dispatch. Otherwise the task is
/// made when the run is registered, and held until its turn.
final class EffectRun: EffectSender {
  /// What a run goes through; a cancelled one goes through it too, without its body.
  struct Progress {
    /// The dispatch it works for, from the registration of the run until it is over.
    var lineage: Lineage?
    /// The task that waits for the run's turn, from its registration until it is over.
    var held: HeldTask?
    /// The task that was made in the run's turn, until it is over.
    var started: Task<Void, Never>?
    /// Whether its turn has come.
    var isOpen = false
    /// The runs to be interrupted before this one starts.
    var replaced: [EffectRun] = []
    /// Whether it is not in the queue of the store, so that its turn does not come by itself.
    var isWaiting = false
    /// Stands for its end where it is noted who waits for what; made when that is first asked.
    var ending: Completion?
    /// The turn that it waits for, if that comes by the end of another run.
    var awaitedTurn: Completion?
    /// The turn of others that comes by its end.
    var heldUpTurn: Completion?
    /// Where its runner keeps it.
    var place = 0
    /// What it waits for, as far as that is known.
    var waits = RunWaits()
    /// What goes on beside the body.
    var forks: [UInt64: Task<Void, Never>] = [:]
    /// What the first fork threw that failed.
    var forkFailure: (any Error)?
    /// Whether no fork may begin any more, because the run fails or has ended.
    var isClosed = false
    var lastNumber: UInt64 = 0

    /// Returns a number for a wait or a fork.
    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    /// Returns what stands for its end where it is noted who waits for what.
    mutating func makeEnding() -> Completion {
      let ending = ending ?? Completion()
      self.ending = ending
      return ending
    }

    /// Notes that a turn comes by the end of the run, or no longer that one does.
    ///
    /// Noted while the run is locked, so that the note of a run that ends meanwhile does not stay.
    mutating func holdUp(_ turn: Completion?) {
      if let turn {
        makeEnding().precedes(turn)
      } else if let heldUpTurn {
        makeEnding().precedesNoLonger(heldUpTurn)
      }
      heldUpTurn = turn
    }

    /// Lets go of what the run needs no more when it is over.
    mutating func forget() {
      (lineage, held, started, awaitedTurn) = (nil, nil, nil, nil)
    }
  }

  let runner: EffectRunner
  let number: UInt64
  let origin: DispatchIdentity
  let key: EffectKey?
  /// When it was registered, since the store was made.
  let begin: Duration
  private let body: EffectStart.Body
  let handlesFailures: Bool
  /// Whether no policy applies to it.
  let isSpawned: Bool
  private let cancelled = Atomic<Bool>(false)
  /// Whether the body has returned, or will never run.
  let over = Atomic<Bool>(false)
  let hasForked = Atomic<Bool>(false)
  let currentAttempt = Atomic<Int>(1)
  let progress = Lock(Progress())

  init(
    runner: EffectRunner, origin: DispatchIdentity, start: EffectStart, handlesFailures: Bool,
    isSpawned: Bool = false
  ) {
    self.isSpawned = isSpawned
    self.runner = runner
    self.origin = origin
    self.handlesFailures = handlesFailures
    number = runner.store.effects.nextNumber()
    key = start.key.map { EffectKey($0) }
    body = start.body
    begin = runner.store.time.now()
  }

  var store: any StoreReferencing { runner.store }
  var name: EffectName { runner.name }
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
  var lineage: Lineage? { progress.withLock { $0.lineage } }
  var ending: Completion {
    progress.withLock { $0.makeEnding() }
  }
  /// Whether the body has returned, or will never run.
  var isOver: Bool { over.load(ordering: .acquiring) }
  var place: Int { progress.withLock { $0.place } }

  /// Takes the run into the store, to be started in its turn.
  ///
  /// Called in the store's critical section: the order of effects is that of their registration,
  /// and whoever finds a run in the registry can end it.
  func join(_ registration: Registration, at place: Int, replacing replaced: [EffectRun]) {
    let keepsContext = registration.isFollowedUpHere && store.executor == nil
    join(registration, held: keepsContext ? nil : makeTask())
    progress.withLock { ($0.place, $0.replaced) = (place, replaced) }
  }

  /// Takes the run into the store, to be started when it may; returns the patience to end of those
  /// who can wait no more because of it.
  func joinWaiting(_ registration: Registration, for turn: Completion?) -> [Patience] {
    join(registration, held: makeTask())
    progress.withLock { ($0.isWaiting, $0.awaitedTurn) = (true, turn) }
    return turn.map { waits(for: $0) } ?? []
  }

  private func join(_ registration: Registration, held: HeldTask?) {
    if !runner.isBackground { store.effects.didRegister() }
    progress.withLock { progress in
      if !runner.isBackground { progress.lineage = registration.lineage }
      progress.held = held
    }
  }

  private func makeTask() -> HeldTask {
    guard let executor = store.executor else { return HeldTask(work) }
    return HeldTask(on: executor) { [self, work] in
      await store.watchingTask(of: owner) { await work() }
    }
  }

  /// Notes that the run may start when its turn comes; called in the critical section.
  func stopWaiting(at place: Int, replacing replaced: [EffectRun], holdingUp turn: Completion?) {
    let awaited = progress.withLock { progress in
      defer { progress.awaitedTurn = nil }
      progress.isWaiting = false
      progress.place = place
      progress.replaced = replaced
      return progress.awaitedTurn
    }
    if let awaited { waitsNoLonger(for: awaited) }
    if let turn { holdUp(turn) }
  }

  /// Notes that a turn comes by the end of this run, and no other does.
  func holdUp(_ turn: Completion?) {
    progress.withLock { progress in
      progress.holdUp(nil)
      if let turn, !isOver { progress.holdUp(turn) }
    }
  }

  /// Runs the body up to its first suspension, after ending the runs it replaces.
  func open() {
    let (isFirst, held, replaced) = progress.withLock { progress in
      defer { (progress.isOpen, progress.replaced) = (true, []) }
      return (!progress.isOpen, progress.held, progress.replaced)
    }
    guard isFirst else { return }
    for old in replaced { old.interrupt() }
    if let held {
      held.open()
    } else if isCancelled {
      end()
    } else {
      start()
    }
  }

  private func start() {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      let task = makeTask()
      progress.withLock { $0.held = task }
      // Whoever cancelled it meanwhile did not find the task, which looks itself.
      return task.open()
    }
    let task = Task.immediate(operation: work)
    progress.withLock { progress in
      if !over.load(ordering: .relaxed) { progress.started = task }
    }
    // Whoever cancelled it meanwhile did not find the task.
    if isCancelled || progress.withLock({ $0.forkFailure != nil }) { task.cancel() }
  }

  /// What the task of the run does.
  ///
  /// One function: each that it calls and awaits costs a tenth of a round trip.
  private var work: @concurrent @Sendable () async -> Void {
    { [self] in
      if !isCancelled {
        await CurrentEffect.$value.withValue(self) {
          var failure: (any Error)?
          do { try await body(EffectContext(run: self)) } catch { failure = error }
          if hasForked.load(ordering: .acquiring) { failure = await endForks(after: failure) }
          if let failure { fail(with: failure) }
        }
      }
      end()
    }
  }

  /// Lets nothing more of the run be reduced; to be called in the store's critical section.
  func silence() { cancelled.store(true, ordering: .releasing) }

  /// Cancels the task of a run that was silenced, and those of the runs it was to replace.
  func interrupt() {
    var runs = [self]
    while let run = runs.popLast() {
      let (held, started, forks, replaced) = run.progress.withLock { progress in
        defer { progress.replaced = [] }
        return (progress.held, progress.started, progress.forks.values, progress.replaced)
      }
      held?.cancel()
      started?.cancel()
      for fork in forks { fork.cancel() }
      runs += replaced
    }
  }

  /// Ends a run that was silenced, also when it waits for its turn in vain.
  func discard() {
    interrupt()
    if progress.withLock({ $0.isWaiting }) { open() }
  }

  private func end() {
    // What ends here is released when the run is forgotten, and its lock is not held.
    let (tasks, lineage, turn, forks, holdsUp) = progress.withLock { progress in
      over.store(true, ordering: .releasing)
      progress.isClosed = true
      defer { progress.forget() }
      return (
        (progress.held, progress.started), progress.lineage, progress.awaitedTurn,
        progress.forks.values, progress.heldUpTurn != nil
      )
    }
    if let turn { waitsNoLonger(for: turn) }
    // A task that the body left behind may have made one while the others were awaited.
    for fork in forks { fork.cancel() }
    runner.didEnd(self)
    // Only now that it is noted who takes its place.
    if holdsUp { holdUp(nil) }
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
    return store.send(action, source, Sender(effect: self))
  }

  /// Turns what the body threw into an action, unless it threw because it was cancelled.
  private func fail(with error: any Error) {
    guard !isCancelled else { return }
    guard !handlesFailures else {
      return store.report(
        .failureHandlerFailed(effect: name, origin: origin, error: String(describing: error)))
    }
    let failure = EffectFailed(
      name: name, key: key?.value, origin: origin, attempt: attempt, error: error)
    _ = store.send(failure, origin.source, Sender(effect: self))
    if !store.handles(EffectFailed.self) {
      store.report(
        .unhandledEffectFailure(effect: name, origin: origin, error: String(describing: error)))
    }
  }

  /// Tells that the run was refused.
  func fail(with error: any Error, for lineage: Lineage) {
    progress.withLock { $0.lineage = lineage }
    fail(with: error)
    progress.withLock { $0.lineage = nil }
  }
}
