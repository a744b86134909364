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
            try await body()
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
    while let fork = progress.withLock({ $0.details?.forks.values.first }) { await fork.value }
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
      let waits = progress.details?.waits ?? [:]
      return waits.isEmpty ? [.outside] : waits.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Does what waits, and lets it be seen meanwhile.
  func waiting<Value>(
    for wait: EffectWait, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let id = progress.withLock { progress in
      let details = progress.makeDetails()
      let id = details.nextNumber()
      details.waits[id] = wait
      return id
    }
    defer { progress.withLock { _ = $0.details?.waits.removeValue(forKey: id) } }
    return try await body()
  }
}
