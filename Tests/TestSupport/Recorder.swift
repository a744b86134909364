/// A list that any thread may append to and a test may wait for.
///
/// ```swift
/// let seen = Recorder<Int>()
/// Task { seen.record(1) }
/// #expect(await seen.waitForCount(1) == [1])
/// ```
public final class Recorder<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var waiting: [(count: Int, gate: Gate)] = []
  }

  private let state = TestLock(State())

  /// Creates an empty list.
  public init() {}

  /// What was recorded so far, in order.
  public var values: [Value] { state.withLock { $0.values } }

  /// How many values were recorded so far.
  public var count: Int { state.withLock { $0.values.count } }

  /// Appends a value and lets through whoever waited for it.
  public func record(_ value: Value) {
    let reached = state.withLock { state in
      state.values.append(value)
      let count = state.values.count
      let reached = state.waiting.filter { $0.count <= count }
      state.waiting.removeAll { $0.count <= count }
      return reached
    }
    for waiter in reached { waiter.gate.open() }
  }

  /// Waits until at least `count` values are there, or the task is cancelled.
  ///
  /// - Parameter count: The number of values to wait for.
  /// - Returns: Everything recorded by then: at least `count` values unless the task was cancelled.
  @discardableResult
  public func waitForCount(_ count: Int) async -> [Value] {
    let gate = state.withLock { state in
      if state.values.count >= count { return nil as Gate? }
      let gate = Gate()
      state.waiting.append((count, gate))
      return gate
    }
    await gate?.wait()
    return values
  }
}
