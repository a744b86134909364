import Store

/// One run of an effect.
///
/// Its task is made when the run is registered, inside the dispatch that caused it, and held until
/// the turn of the run comes in follow-up.
final class RunningEffect: Sendable {
  typealias Body = @Sendable (EffectContext) async throws -> Void

  /// What a run goes through; a cancelled one goes through it too, without its body.
  private struct Progress {
    /// The task, from the registration of the run until it is over.
    var task: HeldTask?
    /// Whether the body has returned, or will never run.
    var isOver = false
    /// The runs to be interrupted before this one starts.
    var replaced: [RunningEffect] = []
  }

  let record: EffectRecord
  let key: EffectKey
  private let runner: EffectRunner
  private let start: EffectRunner.Start
  private let handlesFailures: Bool
  private let progress = Lock(Progress())

  init(
    runner: EffectRunner, origin: DispatchIdentity, start: EffectRunner.Start, handlesFailures: Bool
  ) {
    record = EffectRecord(store: runner.store, name: runner.name, origin: origin)
    key = EffectKey(start.key)
    self.runner = runner
    self.start = start
    self.handlesFailures = handlesFailures
  }

  /// Makes the task, which waits for ``open()``.
  ///
  /// Called in the store's critical section: the order of effects is that of their registration,
  /// and whoever finds a run in the registry finds its task.
  func reserve(lineage: Lineage, replacing replaced: [RunningEffect]) {
    if !runner.isBackground {
      record.join(lineage)
      record.store.effectDidRegister()
    }
    let task = HeldTask { await self.run() }
    progress.withLock { progress in
      progress.task = task
      progress.replaced = replaced
    }
  }

  /// Runs the body up to its first suspension, after ending the runs it replaces.
  func open() {
    let (task, replaced) = progress.withLock { progress in
      defer { progress.replaced = [] }
      return (progress.task, progress.replaced)
    }
    for old in replaced { old.interrupt() }
    task?.open()
  }

  /// Cancels the task of a run that was silenced, and those of the runs it was to replace.
  func interrupt() {
    var runs = [self]
    while let run = runs.popLast() {
      let (task, replaced) = run.progress.withLock { progress in
        defer { progress.replaced = [] }
        return (progress.task, progress.replaced)
      }
      task?.cancel()
      runs += replaced
    }
  }

  private func run() async {
    if !record.isCancelled {
      await EffectRecord.$current.withValue(record) {
        do {
          try await start.body(EffectContext(effect: self))
        } catch {
          report(error)
        }
      }
    }
    let task = progress.withLock { progress in
      progress.isOver = true
      defer { progress.task = nil }
      return progress.task
    }
    _ = task
    runner.didEnd(self)
    record.leave()
  }

  /// Sends an action for the body.
  func send(_ action: any Action, from source: SourceLine) -> DispatchHandle {
    if progress.withLock({ $0.isOver }), !record.isCancelled {
      record.store.report(
        .actionAfterEffectEnded(
          action: String(describing: type(of: action)), effect: record.name, origin: record.origin,
          source: source))
      return .finished
    }
    guard !record.isCancelled else {
      record.store.report(
        .actionAfterEffectCancelled(
          action: String(describing: type(of: action)), effect: record.name, origin: record.origin,
          source: source))
      return .finished
    }
    return record.store.send(action, source, Sender(effect: record))
  }

  /// Turns what the body threw into an action, unless it threw because it was cancelled.
  private func report(_ error: any Error) {
    guard !record.isCancelled else { return }
    guard !handlesFailures else {
      return record.store.report(
        .failureHandlerFailed(
          effect: record.name, origin: record.origin, error: String(describing: error)))
    }
    let failure = EffectFailed(
      name: record.name, key: start.key, origin: record.origin, attempt: 1, error: error)
    _ = record.store.send(failure, record.origin.source, Sender(effect: record))
    if !record.store.handles(EffectFailed.self) {
      record.store.report(
        .unhandledEffectFailure(
          effect: record.name, origin: record.origin, error: String(describing: error)))
    }
  }
}
