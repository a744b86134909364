import Synchronization

/// Effects: what one costs above the task that it cannot do without.
let effectsSuite = Suite(
  name: "effects",
  groups: [
    Group(
      Subject("floor.immediate", operations: 100_000, sample: floorImmediate)
    ),
    Group(
      Subject("floor.task", operations: 50_000, sample: floorTask)
    ),
  ]
)

/// The least that can know its tasks: a dictionary of them behind a lock.
private final class TaskRegistry: Sendable {
  private let tasks = Mutex<[Int: Task<Void, Never>]>([:])

  func enter(_ task: Task<Void, Never>, as id: Int) {
    tasks.withLock { $0[id] = task }
  }

  func remove(_ id: Int) -> Task<Void, Never>? {
    tasks.withLock { $0.removeValue(forKey: id) }
  }
}

/// A task with nothing to do that has done it when it is entered.
@Sendable
private func floorImmediate(_ operations: Int) throws -> Double {
  let registry = TaskRegistry()
  var removed = 0
  let time = nanoseconds(for: operations) {
    for id in 0..<operations {
      registry.enter(Task.immediate {}, as: id)
      if registry.remove(id) != nil {
        removed += 1
      }
    }
  }
  try expect(removed, equals: operations)
  return time
}

/// A task with nothing to do that has to be scheduled, awaited once all are under way.
@Sendable
private func floorTask(_ operations: Int) async throws -> Double {
  let registry = TaskRegistry()
  var removed = 0
  let time = await nanoseconds(for: operations) {
    for id in 0..<operations {
      registry.enter(Task {}, as: id)
    }
    for id in 0..<operations {
      if let task = registry.remove(id) {
        await task.value
        removed += 1
      }
    }
  }
  try expect(removed, equals: operations)
  return time
}
