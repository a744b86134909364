import Store

/// The calls in flight that runs of one effect share.
struct SharedCalls: Sendable {
  /// Which calls are the same: those about one thing with one type of result.
  struct ID: Hashable {
    let key: EffectKey?
    let type: ObjectIdentifier
  }

  var calls: [ID: any Sendable & AnyObject] = [:]
}

/// One call, which goes on as long as somebody waits for it.
final class SharedCall<Value: Sendable>: Sendable {
  private struct Progress {
    var waiters = 0
    var result: Result<Value, any Error>?
    var task: Task<Void, Never>?
  }

  private let progress = Lock(Progress())
  private let completion = Completion()

  /// Makes the call; `didEnd` is called when it is over.
  func start(
    on executor: (any TaskExecutor)?, _ call: @escaping @Sendable () async throws -> Value,
    didEnd: @escaping @Sendable () -> Void
  ) {
    // It belongs to none of those who wait.
    let task = CurrentEffect.without {
      Task(executorPreference: executor) {
        let result: Result<Value, any Error>
        do { result = .success(try await call()) } catch { result = .failure(error) }
        self.end(with: result)
        didEnd()
      }
    }
    progress.withLock { if $0.result == nil { $0.task = task } }
  }

  private func end(with result: Result<Value, any Error>) {
    let task = progress.withLock { progress in
      defer { progress.task = nil }
      progress.result = result
      return progress.task
    }
    completion.finish()
    _ = task
  }

  /// Takes part in the call.
  func join() { progress.withLock { $0.waiters += 1 } }

  /// Waits for the result, or for the end of the calling task's patience.
  func value() async throws -> Value {
    await completion.wait()
    guard let result = progress.withLock({ $0.result }) else { throw CancellationError() }
    return try result.get()
  }

  /// Takes no part any more.
  func leave() { progress.withLock { $0.waiters -= 1 } }

  /// Cancels the call if nobody takes part in it; answers whether nobody does.
  func cancelIfAbandoned() -> Bool {
    let (isAbandoned, task) = progress.withLock { ($0.waiters == 0, $0.task) }
    if isAbandoned { task?.cancel() }
    return isAbandoned
  }
}

extension EffectRunner {
  /// Joins the call in flight, or makes it.
  func share<Value: Sendable>(
    as key: EffectKey?, forced: Bool, _ call: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let id = SharedCalls.ID(key: key, type: ObjectIdentifier(Value.self))
    let (shared, isNew) = sharedCalls.withLock { sharedCalls in
      if !forced, let shared = sharedCalls.calls[id] as? SharedCall<Value> {
        shared.join()
        return (shared, false)
      }
      let shared = SharedCall<Value>()
      shared.join()
      sharedCalls.calls[id] = shared
      return (shared, true)
    }
    if isNew { shared.start(on: store.executor, call) { self.forget(shared, id) } }
    defer {
      shared.leave()
      // Not at once: a run that replaces this one, as the latest does, joins in its own turn.
      store.followUp([{ if shared.cancelIfAbandoned() { self.forget(shared, id) } }])
    }
    return try await shared.value()
  }

  private func forget(_ shared: some AnyObject, _ id: SharedCalls.ID) {
    sharedCalls.withLock { sharedCalls in
      if sharedCalls.calls[id] === shared { sharedCalls.calls[id] = nil }
    }
  }
}
