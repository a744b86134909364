import Foundation

/// Runs tasks on one thread whose stack is as small as that of a task's thread on Apple platforms.
///
/// ```swift
/// await SmallStackExecutor.run { await store.dispatch(Load()).finish() }
/// ```
public final class SmallStackExecutor: TaskExecutor {
  /// 512 KiB.
  public static let stackSize = 512 * 1024

  private let jobs = TestLock<[UnownedJob]>([])
  private let arrival = DispatchSemaphore(value: 0)
  private let isOver = Box(false)

  private init() {}

  /// Takes a job, which runs after those before it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrival.signal()
  }

  /// Runs `operation`, and the child tasks that it waits for, on a new thread with a small stack.
  public static func run(_ operation: @escaping @Sendable () async -> Void) async {
    let executor = SmallStackExecutor()
    async let working: Void = runOnThread(stackSize: stackSize) { executor.work() }
    await Task(executorPreference: executor) { await operation() }.value
    executor.isOver.value = true
    executor.arrival.signal()
    await working
  }

  private func work() {
    while true {
      arrival.wait()
      let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      // The executor outlives its jobs: whoever made it waits for them.
      if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
      if job == nil, isOver.value { return }
    }
  }
}
