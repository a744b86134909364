import Store

/// The calls in flight that runs of one effect share.
struct SharedCalls: Sendable {
  /// Which calls are the same: those about one thing with one type of result.
  struct ID: Hashable {
    let key: EffectKey?
    let type: ObjectIdentifier
  }

  /// A line for each, for as long as a call of it is in flight.
  var lines: [ID: any Sendable & AnyObject] = [:]
}

/// The calls in flight about one thing: the newest, which others join, and those that it overtook.
private final class SharedLine<Value: Sendable>: Sendable {
  private struct Progress {
    var current: SharedCall<Value>?
    var inFlight = 0
    var last = 0
    var newestAnswer: (number: Int, value: Value)?
  }

  private let progress = Lock(Progress())

  var current: SharedCall<Value>? { progress.withLock { $0.current } }

  /// Makes the next call, which others join from now on.
  func begin(by runner: EffectRunner) -> SharedCall<Value> {
    progress.withLock { progress in
      progress.last += 1
      progress.inFlight += 1
      let call = SharedCall<Value>(number: progress.last, of: runner)
      progress.current = call
      return call
    }
  }

  /// Lets nobody join a call any more.
  func retire(_ call: SharedCall<Value>) {
    progress.withLock { if $0.current === call { $0.current = nil } }
  }

  /// Notes how a call ended; answers whether it was the last in flight, and which answer it
  /// overtook, to be released where nothing is locked.
  func end(
    _ call: SharedCall<Value>, with result: Result<Value, any Error>
  ) -> (isLast: Bool, overtaken: Value?) {
    progress.withLock { progress in
      if progress.current === call { progress.current = nil }
      var overtaken: Value?
      if case .success(let value) = result, call.number > progress.newestAnswer?.number ?? 0 {
        overtaken = progress.newestAnswer?.value
        progress.newestAnswer = (call.number, value)
      }
      progress.inFlight -= 1
      return (progress.inFlight == 0, overtaken)
    }
  }

  /// The answer of a newer call than this, if there is one already.
  func answer(overtaking call: SharedCall<Value>) -> Value? {
    progress.withLock { progress in
      progress.newestAnswer.flatMap { $0.number > call.number ? $0.value : nil }
    }
  }
}

/// One call, which goes on as long as somebody waits for it.
private final class SharedCall<Value: Sendable>: EffectWork {
  private struct Progress {
    var waiters = 0
    var result: Result<Value, any Error>?
    var task: Task<Void, Never>?
  }

  let store: any StoreReferencing
  let name: EffectName
  let number: Int
  let owner = TaskOwner()
  private let progress = Lock(Progress())
  private let completion = Completion()

  init(number: Int, of runner: EffectRunner) {
    (store, name) = (runner.store, runner.name)
    self.number = number
  }

  /// The end of the call, and nothing that comes after it by itself: who waits for it notes that.
  var line: [Completion]? { progress.withLock { $0.result == nil ? [completion] : nil } }

  /// Makes the call; `willEnd` is called when it is over, before anybody is told.
  func start(
    _ call: @escaping @Sendable () async throws -> Value,
    willEnd: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    // It belongs to none of those who wait, and may wait itself.
    let task = CurrentEffect.local.withValue(self) {
      Task(executorPreference: store.executor) {
        await self.store.watchingTask(of: self.owner) {
          let result: Result<Value, any Error>
          do { result = .success(try await call()) } catch { result = .failure(error) }
          willEnd(result)
          self.end(with: result)
        }
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

  /// Takes no part any more.
  func leave() { progress.withLock { $0.waiters -= 1 } }

  /// Whether it goes on and nobody takes part in it.
  var isAbandoned: Bool { progress.withLock { $0.waiters == 0 && $0.result == nil } }

  func cancel() {
    let task = progress.withLock { $0.task }
    task?.cancel()
  }

  /// Waits for the result; throws if the calling task loses its patience, or would wait for itself.
  func result() async throws -> Result<Value, any Error> {
    await completion.wait(for: "share(as:forced:_:)") { await completion.wait($0) }
    guard let result = progress.withLock({ $0.result }) else { throw CancellationError() }
    return result
  }
}

extension EffectRunner {
  /// Joins the call in flight, or makes it.
  func share<Value: Sendable>(
    as key: EffectKey?, forced: Bool, _ call: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let id = SharedCalls.ID(key: key, type: ObjectIdentifier(Value.self))
    let (line, shared) = join(id, forced: forced, call)
    defer { leave(shared, in: line) }
    store.beginWait(.call(shared.owner), of: .current)
    defer { store.endWait(of: .current) }
    let result = try await shared.result()
    return try line.answer(overtaking: shared) ?? result.get()
  }

  private func join<Value: Sendable>(
    _ id: SharedCalls.ID, forced: Bool, _ call: @escaping @Sendable () async throws -> Value
  ) -> (SharedLine<Value>, SharedCall<Value>) {
    let (line, shared, isNew) = sharedCalls.withLock { sharedCalls in
      let line = sharedCalls.lines[id] as? SharedLine<Value> ?? SharedLine()
      let inFlight = forced ? nil : line.current
      let shared = inFlight ?? line.begin(by: self)
      shared.join()
      sharedCalls.lines[id] = line
      return (line, shared, inFlight == nil)
    }
    if isNew {
      shared.start(call) { result in
        let overtaken = self.sharedCalls.withLock { sharedCalls in
          let (isLast, overtaken) = line.end(shared, with: result)
          if isLast { sharedCalls.lines[id] = nil }
          return overtaken
        }
        _ = overtaken
      }
    }
    return (line, shared)
  }

  private func leave<Value: Sendable>(_ shared: SharedCall<Value>, in line: SharedLine<Value>) {
    shared.leave()
    guard shared.isAbandoned else { return }
    // Not at once: a run that replaces this one, as the latest does, joins in its own turn.
    store.followUp {
      // While nobody can join.
      let isAbandoned = self.sharedCalls.withLock { _ in
        guard shared.isAbandoned else { return false }
        line.retire(shared)
        return true
      }
      if isAbandoned { shared.cancel() }
    }
  }
}
