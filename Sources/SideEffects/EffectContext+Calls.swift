import Store
import Synchronization

extension EffectContext {
  /// Runs several calls at once and returns what the first to end returns, or throws what it throws.
  ///
  /// They begin in the order in which they are written, each as far as it gets without suspending;
  /// once one has won, none begins any more. The others are cancelled, and awaited: one that ignores
  /// cancellation holds up the race.
  ///
  /// - Parameter contenders: the calls; at least one.
  /// - Returns: the result of the winner.
  /// - Throws: the error of the winner; `CancellationError` when the run is cancelled.
  public func race<Value: Sendable>(
    _ contenders: @Sendable () async throws -> Value...
  ) async throws -> Value {
    // Within a call that is shared they work for that.
    let owner = TaskOwner.current ?? run.owner
    return try await run.waiting(for: nil) {
      try await withThrowingTaskGroup(of: Value?.self) { group in
        let isOver = Flag()
        for contender in contenders where !isOver.isSet {
          group.start {
            // Too late to take part, and not to be taken for the winner, who may come in after it.
            guard !isOver.isSet else { return nil }
            defer { isOver.set() }
            return try await run.child(of: owner) { try await contender() }
          }
        }
        defer { group.cancelAll() }
        while let result = try await group.next() {
          if let winner = result { return winner }
        }
        throw CancellationError()
      }
    }
  }

  /// Makes a call that is cancelled when it takes longer than a time.
  ///
  /// - Parameters:
  ///   - limit: how long it may take, by the store's clock.
  ///   - call: the call.
  /// - Returns: what the call returns.
  /// - Throws: ``EffectTimedOut`` when the time is over; otherwise what the call throws.
  public func timeout<Value: Sendable>(
    after limit: Duration, _ call: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let value: Value? = try await race({ try await call() }, { try await nothing(after: limit) })
    guard let value else { throw EffectTimedOut(limit: limit) }
    return value
  }

  /// Makes a call, and makes it again when it failed, so many times in all.
  ///
  /// ```swift
  /// let posts = try await effect.retry(.exponential(attempts: 3)) { try await service.fetchPosts() }
  /// ```
  ///
  /// With `attempts: 3` that is the first call and at most two more. Between two calls it sleeps by
  /// the store's clock, as ``EffectRetry`` says. After the last there is no delay. Cancelling the run
  /// ends it at once, also while it sleeps, and is never a failure to be retried. Do not retry what
  /// must not happen twice.
  ///
  /// - Parameters:
  ///   - retry: how many calls at most, the first one included, and after which delays.
  ///   - isWorthwhile: whether this error may go away by itself.
  ///   - call: the call.
  /// - Returns: what the first call that does not fail returns.
  /// - Throws: what the last call threw; `CancellationError` when the run is cancelled.
  public func retry<Value: Sendable>(
    _ retry: EffectRetry = .exponential(attempts: 3),
    if isWorthwhile: (any Error) -> Bool = { _ in true },
    _ call: () async throws -> Value
  ) async throws -> Value {
    let start = run.store.time.now()
    let outer = run.attempt
    var attempt = 1
    while true {
      run.attempt = attempt
      do {
        let value = try await call()
        run.attempt = outer
        return value
      } catch {
        try Task.checkCancellation()
        // A call that runs share goes on for the others when the one is cancelled that makes it.
        if isCancelled, CurrentEffect.value === run { throw CancellationError() }
        guard attempt < retry.attempts, isWorthwhile(error) else { throw error }
        let delay = min(max(retry.delay(attempt), .zero), .forEver)
        let spent = run.store.time.now() - start
        if let deadline = retry.deadline, spent + delay > deadline { throw error }
        try await sleep(for: delay)
        attempt += 1
      }
    }
  }

  /// Makes a call, unless the same call of this effect is in flight: then it waits for that.
  ///
  /// Calls are the same when they are about the same thing and have the same type of result. The
  /// call goes on as long as a run waits for it; a run that replaces another joins its call.
  ///
  /// - Parameters:
  ///   - key: what the call is about; that of the run unless given.
  ///   - isForced: whether to make the call although one is in flight; those who come later join the
  ///     new one. Those who wait for the old one get the answer of the new one if that is there when
  ///     the old one ends, so that no late answer takes the place of a newer.
  ///   - call: the call.
  /// - Returns: what the call returns, to all who share it.
  /// - Throws: what the call throws, to all who share it; `CancellationError` when the run is
  ///   cancelled, and when the call cannot end because it waits for this wait: that is told to the
  ///   diagnostics handler too.
  public func share<Value: Sendable>(
    as key: (any Hashable & Sendable)? = nil, forced isForced: Bool = false,
    _ call: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await run.waiting(for: .sharedCall) {
      try await run.runner.share(
        as: key.map { EffectKey($0) } ?? run.key, forced: isForced, call)
    }
  }

  /// Does something again and again, until it says that it is done.
  ///
  /// The interval is counted from the end of one time to the beginning of the next, by the store's
  /// clock.
  ///
  /// - Parameters:
  ///   - interval: how long to wait in between.
  ///   - step: does it once; answers whether to go on.
  /// - Throws: what a step throws; `CancellationError` when the run is cancelled.
  public func poll(
    every interval: Duration, _ step: () async throws -> PollStep
  ) async throws {
    while true {
      try Task.checkCancellation()
      guard try await step() == .again else { return }
      // Even one without a pause lets others go first, and can be cancelled.
      if interval > .zero { try await sleep(for: interval) } else { await Task.yield() }
    }
  }
}

extension ThrowingTaskGroup {
  /// Adds a child task that runs up to its first suspension at once, where the platform can.
  fileprivate mutating func start(
    _ operation: @escaping @Sendable () async throws -> ChildTaskResult
  ) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      addImmediateTask { try await operation() }
    } else {
      addTask { try await operation() }
    }
  }
}

/// Something that becomes true once.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

/// Whether a poll goes on.
public enum PollStep: Sendable, Hashable {
  /// Once more, after the interval.
  case again
  /// That was the last time.
  case done
}

/// The error of a call that took too long.
public struct EffectTimedOut: Error, Sendable, Hashable, CustomStringConvertible {
  /// How long it might have taken.
  public let limit: Duration

  /// What happened.
  public var description: String { "The call was not over after \(limit.inSeconds) s." }
}

/// How many calls to make, as long as each fails, and after which delays.
///
/// Attempts are counted as `EffectFailed.attempt` and `LiveEffect.attempt` count them: the first call
/// is the first attempt.
public struct EffectRetry: Sendable {
  /// How many calls are made at most, the first one included; it is always made once.
  public var attempts: Int
  /// How long to wait after the n-th attempt, counted from 1, before the next.
  public var delay: @Sendable (_ n: Int) -> Duration
  /// How long after the first call began another may begin; nil sets no limit.
  public var deadline: Duration?

  /// Creates one of any shape.
  public init(
    attempts: Int, deadline: Duration? = nil, delay: @escaping @Sendable (_ n: Int) -> Duration
  ) {
    self.attempts = attempts
    self.deadline = deadline
    self.delay = delay
  }

  /// The same delay each time.
  public static func constant(_ delay: Duration, attempts: Int) -> EffectRetry {
    EffectRetry(attempts: attempts) { _ in delay }
  }

  /// Delays of which the bound doubles each time, each drawn at random between zero and its bound
  /// (*full jitter*), so that many who failed together do not come back together.
  ///
  /// - Parameters:
  ///   - attempts: how many calls are made at most, the first one included.
  ///   - base: the bound of the first delay.
  ///   - cap: no bound is longer.
  ///   - deadline: how long after the first call began another may begin.
  ///   - jitter: draws a delay from a bound; returns the bound itself for delays that are no
  ///     surprise.
  /// - Returns: the retry.
  public static func exponential(
    attempts: Int, from base: Duration = .milliseconds(200), cap: Duration = .seconds(20),
    deadline: Duration? = nil,
    jitter: @escaping @Sendable (_ bound: Duration) -> Duration = { $0 * Double.random(in: 0...1) }
  ) -> EffectRetry {
    EffectRetry(attempts: attempts, deadline: deadline) { n in
      let cap = min(cap, .forEver)
      var bound = min(base, cap)
      // Doubling ends at the cap, so nothing overflows.
      for _ in 1..<max(1, n) where bound < cap { bound = min(bound * 2, cap) }
      return jitter(bound)
    }
  }
}
