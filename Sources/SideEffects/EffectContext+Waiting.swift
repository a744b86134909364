public import Middleware
public import Store

extension EffectContext {
  /// Sleeps by the store's clock; nothing or less returns at once.
  ///
  /// - Throws: `CancellationError` when the run is cancelled.
  public func sleep(for duration: Duration) async throws {
    // Not by `waiting(for:_:)`: its frames last as long as the sleep (`effect.bytes`).
    let (due, number) = run.beginSleep(for: duration, isSeen: true)
    defer { run.endWait(number) }
    try await run.runner.time.sleep(due)
  }

  /// Waits for the next action of exactly this type that is reduced from now on.
  ///
  /// All who wait for an action are told of it, after the observers were.
  ///
  /// ```swift
  /// let credentials = try await effect.take(LoggedIn.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - matches: whether it is the one. Called while the store is locked; it must be pure.
  ///   - action: an action to send as soon as this waits, so that not even an answer that is sent
  ///     within that dispatch is missed.
  ///   - fileID: the file that action is said to come from.
  ///   - line: the line that action is said to come from.
  /// - Returns: the action.
  /// - Throws: `CancellationError` when the run is cancelled, or the store is gone.
  public func take<A: Action>(
    _ type: A.Type, where matches: @escaping @Sendable (A) -> Bool = { _ in true },
    after action: (any Action)? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> A {
    let arrival = arm(type, where: matches)
    if let action { dispatch(action, fileID: fileID, line: line) }
    return try await run.waiting(for: .action(type: "\(type)")) { try await arrival.value() }
  }

  /// Waits for the next action of exactly this type, but not longer than for a time.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - matches: whether it is the one. Called while the store is locked; it must be pure.
  ///   - timeout: how long to wait, by the store's clock.
  ///   - action: an action to send as soon as this waits.
  ///   - fileID: the file that action is said to come from.
  ///   - line: the line that action is said to come from.
  /// - Returns: the action, or nil if none came in time.
  /// - Throws: `CancellationError` when the run is cancelled, or the store is gone.
  public func take<A: Action>(
    _ type: A.Type, where matches: @escaping @Sendable (A) -> Bool = { _ in true },
    timeout: Duration, after action: (any Action)? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws -> A? {
    let arrival = arm(type, where: matches)
    if let action { dispatch(action, fileID: fileID, line: line) }
    // One that has come already counts, however short the time is.
    if let value = arrival.take() { return value }
    return try await run.waiting(for: .action(type: "\(type)")) {
      try await race(
        { try await run.waiting(for: nil) { try await arrival.value() } },
        { try await nothing(after: timeout) })
    }
  }

  /// Waits until a part of the state is as it should be.
  ///
  /// ```swift
  /// try await effect.condition(posts) { !$0.isEmpty }
  /// ```
  ///
  /// - Parameters:
  ///   - part: what an effect with `reading:` was given.
  ///   - isMet: whether the part is as it should be. Called while the store is locked, now and in
  ///     each commit; it must be pure.
  /// - Throws: `CancellationError` when the run is cancelled, or the store is gone.
  public func condition<Value>(
    _ part: StateReader<Value>, _ isMet: @escaping @Sendable (Value) -> Bool
  ) async throws {
    let arrival = Arrival<Void>(store: part.store)
    let ticket = Ticket(arrival)
    let isWaiting = part.wait(id: arrival.id, until: isMet) { ticket.arrival.deliver(()) }
    guard isWaiting else {
      if part() == nil { throw CancellationError() }
      return try Task.checkCancellation()
    }
    try await run.waiting(for: .condition) { try await arrival.value() }
  }

  private func arm<A: Action>(
    _ type: A.Type, where matches: @escaping @Sendable (A) -> Bool
  ) -> Arrival<A> {
    let arrival = Arrival<A>(store: run.store)
    let ticket = Ticket(arrival)
    _ = run.store.take(id: arrival.id, type) { action in
      action.exactly(type).map(matches) ?? false
    } deliver: { action in
      if let action = action.exactly(type) { ticket.arrival.deliver(action) }
    }
    return arrival
  }

  /// Returns nil after a time.
  func nothing<Value>(after duration: Duration) async throws -> Value? {
    let (due, number) = run.beginSleep(for: duration, isSeen: false)
    defer { run.endWait(number) }
    try await run.runner.time.sleep(due)
    return nil
  }
}

/// What the store keeps of one who waits in it: when it forgets that, as it does when it is gone,
/// the waiting is over.
private final class Ticket<Value: Sendable>: Sendable {
  let arrival: Arrival<Value>

  init(_ arrival: Arrival<Value>) { self.arrival = arrival }

  deinit { arrival.giveUp() }
}

/// Something that is waited for in the store, and comes at most once.
private final class Arrival<Value: Sendable>: Sendable {
  private enum Progress {
    case waiting(CheckedContinuation<Value, any Error>?)
    case arrived(Value)
    case isOver
  }

  /// What it waits by in the store.
  let id: UInt64
  private let store: any StoreReferencing
  private let progress = Lock(Progress.waiting(nil))

  init(store: any StoreReferencing) {
    self.store = store
    id = store.nextTaker()
  }

  func deliver(_ value: Value) {
    let continuation = progress.withLock { progress -> CheckedContinuation<Value, any Error>? in
      guard case .waiting(let continuation) = progress else { return nil }
      progress = continuation == nil ? .arrived(value) : .isOver
      return continuation
    }
    continuation?.resume(returning: value)
  }

  /// Ends the waiting without a value.
  func giveUp() {
    let continuation = progress.withLock { progress -> CheckedContinuation<Value, any Error>? in
      guard case .waiting(let continuation) = progress else { return nil }
      progress = .isOver
      return continuation
    }
    continuation?.resume(throwing: CancellationError())
  }

  /// Returns the value if it has come.
  func take() -> Value? {
    progress.withLock { progress in
      guard case .arrived(let value) = progress else { return nil }
      progress = .isOver
      return value
    }
  }

  func value() async throws -> Value {
    do {
      return try await arrivingValue()
    } catch {
      // Not where the cancellation is handled, which the task is locked for: if that were the last
      // to hold the store, the store's end would cancel other tasks there, one waiting for another.
      store.stopTaking(id: id)
      throw error
    }
  }

  private func arrivingValue() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = progress.withLock { progress -> Result<Value, any Error>? in
          switch progress {
          case .waiting:
            progress = .waiting(continuation)
            return nil
          case .arrived(let value):
            progress = .isOver
            return .success(value)
          case .isOver: return .failure(CancellationError())
          }
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      giveUp()
    }
  }
}
