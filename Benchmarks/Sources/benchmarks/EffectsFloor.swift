import CMemory

/// A task with nothing to do that has done it when it is entered.
@Sendable
func floorImmediate(_ operations: Int) throws -> Double {
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
func floorTask(_ operations: Int) async throws -> Double {
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

/// The memory that a sleeping task takes.
@Sendable
func floorBytes(_ operations: Int) async throws -> Double {
  var tasks: [Task<Void, Never>] = []
  tasks.reserveCapacity(operations)
  let started = Countdown(operations)
  let before = Int(cmemory_bytes_in_use())
  for _ in 0..<operations {
    tasks.append(
      Task {
        started.arrive()
        // Cancelling the task is what ends this, and nothing is wrong then.
        try? await Task.sleep(for: .seconds(3_600))
      })
  }
  await started.wait()
  let after = Int(cmemory_bytes_in_use())
  try expect(after > before, equals: true)
  for task in tasks {
    task.cancel()
    await task.value
  }
  return Double(after - before) / Double(operations)
}

/// The cancellation of one sleeping task, with as many alive as there are operations.
@Sendable
func floorCancel(_ operations: Int) async throws -> Double {
  var tasks: [Task<Void, Never>] = []
  let started = Countdown(operations)
  for _ in 0..<operations {
    tasks.append(
      Task {
        started.arrive()
        // Cancelling the task is what ends this, and nothing is wrong then.
        try? await Task.sleep(for: .seconds(3_600))
      })
  }
  await started.wait()
  // Spread over all that are alive, as the effects are that are compared with these.
  let cancelled = max(1, min(operations / 10, 200))
  let ids = (0..<cancelled).map { $0 * (operations / cancelled) }
  let time = nanoseconds(for: cancelled) {
    for id in ids {
      tasks[id].cancel()
    }
  }
  for task in tasks {
    task.cancel()
    await task.value
  }
  return time
}
