import Synchronization

/// The least that can know its tasks: a dictionary of them behind a lock.
final class TaskRegistry: Sendable {
  private let tasks = Mutex<[Int: Task<Void, Never>]>([:])

  func enter(_ task: Task<Void, Never>, as id: Int) {
    tasks.withLock { $0[id] = task }
  }

  func remove(_ id: Int) -> Task<Void, Never>? {
    tasks.withLock { $0.removeValue(forKey: id) }
  }
}
