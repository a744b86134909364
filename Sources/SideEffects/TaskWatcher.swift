package import Store

/// An executor that is told which tasks the library makes for its effects, and when they wait for
/// the library, so that it can say when nothing more happens by itself.
///
/// The executor of a store for tests is one; no other store has such an executor, and pays for this.
package protocol TaskWatcher: TaskExecutor {
  /// Called by a task that the library made, before it does anything.
  func begin(_ task: TaskIdentity, of owner: TaskOwner)

  /// Called by that task when it has done everything.
  func end(_ task: TaskIdentity)

  /// Called by a task before it waits for the library; the waits of one task lie one in the other.
  func beginWait(_ wait: TaskWait, of task: TaskIdentity)

  /// Called by that task when the last wait that it began is over.
  func endWait(of task: TaskIdentity)
}

/// What a task waits for, as far as its sleep is concerned.
package enum TaskWait: Sendable {
  /// For something that happens only when the test does something, or that other tasks do of which
  /// the same is asked.
  case library
  /// For a call that this owner makes, and which may wait for anything.
  case call(TaskOwner)
  /// To be told which call it is.
  case unknownCall
}

/// For what a task works: a run of an effect, or a call that runs share.
package struct TaskOwner: Hashable, Sendable {
  /// The owner of the task that asks, and so of those that it makes; nil where nobody watches.
  @TaskLocal package static var current: TaskOwner?

  private final class Call: Sendable {}

  private let object: any AnyObject & Sendable
  private let number: UInt64

  /// The run of this number in the store that counts these effects.
  package init(run number: UInt64, of effects: EffectCount) {
    (object, self.number) = (effects, number)
  }

  /// A call, which is no other.
  init() { (object, number) = (Call(), 0) }

  package static func == (first: TaskOwner, second: TaskOwner) -> Bool {
    first.object === second.object && first.number == second.number
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(object))
    hasher.combine(number)
  }

  /// Makes a task that is nobody's.
  static func without<Result>(_ body: () -> Result) -> Result {
    guard current != nil else { return body() }
    return $current.withValue(nil, operation: body)
  }
}

extension StoreReferencing {
  private var watcher: (any TaskWatcher)? {
    guard let executor else { return nil }
    return executor as? any TaskWatcher
  }

  /// Does all that a task of the library's does for an owner.
  func watchingTask<Value>(
    of owner: TaskOwner, _ body: () async throws -> Value
  ) async rethrows -> Value {
    guard let watcher, let task = TaskIdentity.current else { return try await body() }
    watcher.begin(task, of: owner)
    defer { watcher.end(task) }
    return try await TaskOwner.$current.withValue(owner) { try await body() }
  }

  /// Tells that the task which asks is about to wait for the library.
  func beginWait(_ wait: TaskWait, of task: TaskIdentity?) {
    if let task { watcher?.beginWait(wait, of: task) }
  }

  /// Tells that the last wait which that task began is over.
  func endWait(of task: TaskIdentity?) {
    if let task { watcher?.endWait(of: task) }
  }
}
