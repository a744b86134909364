import Store
import Synchronization

extension EffectRun {
  /// Starts work that has to end before the run does; nil if that has ended, fails, or was cancelled.
  func fork(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, Never>? {
    hasForked.store(true, ordering: .releasing)
    return progress.withLock { progress in
      guard !progress.isClosed, !isCancelled else { return nil }
      let details = progress.makeDetails()
      let id = details.nextNumber()
      // A task that the body left behind may be the one that asks.
      let task = CurrentEffect.local.withValue(self) {
        Task(executorPreference: store.executor) {
          do {
            try await self.child(of: self.owner) { try await body() }
          } catch {
            if !Task.isCancelled { self.forkFailed(error) }
          }
          let ended = self.progress.withLock { $0.details?.forks.removeValue(forKey: id) }
          _ = ended
        }
      }
      details.forks[id] = task
      return task
    }
  }

  /// Waits for all forks, also those that forks make; cancels them before if the body failed.
  ///
  /// - Returns: the error of the run, if it has one: that of a fork, if one failed, since it was the
  ///   fork then that cancelled the body.
  func endForks(after failure: (any Error)?) async -> (any Error)? {
    if failure != nil {
      let forks = progress.withLock { progress in
        progress.isClosed = true
        return progress.details?.forks.values
      }
      if let forks { for fork in forks { fork.cancel() } }
    }
    await waiting(for: nil) {
      while let fork = progress.withLock({ $0.details?.forks.values.first }) { await fork.value }
    }
    return progress.withLock { $0.details?.forkFailure } ?? failure
  }

  /// Cancels the body and the other forks.
  private func forkFailed(_ error: any Error) {
    let (isFirst, body, forks) = progress.withLock { progress in
      let details = progress.makeDetails()
      let isFirst = details.forkFailure == nil
      if isFirst { details.forkFailure = error }
      progress.isClosed = true
      return (isFirst, (progress.held, progress.started), details.forks.values)
    }
    guard isFirst else { return }
    body.0?.cancel()
    body.1?.cancel()
    for fork in forks { fork.cancel() }
  }
}

extension EffectRun {
  /// Which attempt of a retry this is, counted from 1.
  var attempt: Int {
    get { currentAttempt.load(ordering: .relaxed) }
    set { currentAttempt.store(newValue, ordering: .relaxed) }
  }

  /// What the run waits for, as far as that is known.
  var waits: [EffectWait] {
    progress.withLock { progress in
      if progress.isWaiting { return [.turn] }
      return progress.details?.waits.all ?? [.outside]
    }
  }

  /// Does what waits, and lets it be seen meanwhile.
  ///
  /// - Parameters:
  ///   - wait: what to say it waits for; nil if other tasks of the run say that, or the task has.
  ///   - body: what waits.
  /// - Returns: what it returns.
  func waiting<Value>(
    for wait: EffectWait?, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let number = beginWait(wait)
    defer { endWait(number) }
    return try await body()
  }

  /// Lets it be seen that the task waits, until it calls ``endWait(_:)``; its waits lie one in the
  /// other.
  ///
  /// - Returns: the number of the wait.
  func beginWait(_ wait: EffectWait?) -> UInt64 {
    let task = TaskIdentity.current
    let number = progress.withLock { progress in
      let details = progress.makeDetails()
      let number = details.nextNumber()
      details.waits.begin(wait, of: task, number: number)
      return number
    }
    store.beginWait(wait == .sharedCall ? .unknownCall : .library, of: task)
    return number
  }

  /// Notes that the wait of this number is over.
  @inline(never)
  func endWait(_ number: UInt64) {
    store.endWait(of: TaskIdentity.current)
    progress.withLock { $0.details?.waits.end(number: number) }
  }

  /// Begins a wait for a time; a function of its own, so that what it needs is not kept while its
  /// caller sleeps (`effect.bytes`).
  @inline(never)
  func beginSleep(for duration: Duration, isSeen: Bool) -> (due: Duration, number: UInt64) {
    let due = runner.time.now() + min(max(duration, .zero), .forEver)
    return (due, beginWait(isSeen ? .time(due) : nil))
  }

  /// What its tasks are said to work for.
  var owner: TaskOwner { TaskOwner(run: number, of: store.effects) }

  /// Does all that a task of the run does that is not its body's.
  ///
  /// - Parameters:
  ///   - owner: for what it works.
  ///   - body: its work.
  /// - Returns: what that returns.
  func child<Value>(
    of owner: TaskOwner, _ body: () async throws -> Value
  ) async rethrows -> Value {
    guard let task = TaskIdentity.current else { return try await body() }
    let number = progress.withLock { progress in
      let details = progress.makeDetails()
      let number = details.nextNumber()
      details.waits.begin(child: task, number: number)
      return number
    }
    defer { progress.withLock { $0.details?.waits.end(number: number) } }
    return try await store.watchingTask(of: owner, body)
  }
}
