/// A task that is made where it belongs and runs when its turn comes.
///
/// It has the task-local values and the priority of the code that makes it. Its first job is held
/// until ``open()``, which runs it synchronously, up to the first suspension, on the calling thread
/// and on every platform. Later jobs go on to the executor it was given, or the global one.
///
/// The task is its own executor, so nothing else can start it early: as long as its first job is
/// held nobody outside has the task, and nothing enqueues it again.
@usableFromInline
package final class HeldTask: TaskExecutor {
  private struct Memory {
    /// The first job, from the making of the task until ``HeldTask/open()``.
    var firstJob: UnownedJob?
    var isOpen = false
    /// The task, until it has ended; it holds its executor in turn.
    var task: Task<Void, Never>?
  }

  private let memory = Lock(Memory())
  /// Where its later jobs go; the global executor if nil.
  private let executor: (any TaskExecutor)?

  /// Makes the task; runs nothing of `operation`.
  package init(
    on executor: (any TaskExecutor)? = nil,
    _ operation: @escaping @concurrent @Sendable () async -> Void
  ) {
    self.executor = executor
    let task = Task(executorPreference: self) {
      await operation()
      self.forget()
    }
    memory.withLock { $0.task = task }
  }

  /// Runs the task up to its first suspension; to be called once.
  @usableFromInline
  package func open() {
    let job = memory.withLock { memory in
      memory.isOpen = true
      defer { memory.firstJob = nil }
      return memory.firstJob
    }
    // An unowned executor must outlive the job that runs on it. `self` is alive until this call
    // returns, and the task holds it beyond that, as the preference of all its later jobs.
    unsafe job?.runSynchronously(on: asUnownedTaskExecutor())
  }

  /// Cancels the task; one that has ended is no error.
  package func cancel() {
    let task = memory.withLock { $0.task }
    task?.cancel()
  }

  @usableFromInline
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isHeld = memory.withLock { memory in
      guard !memory.isOpen, memory.firstJob == nil else { return false }
      memory.firstJob = job
      return true
    }
    guard !isHeld else { return }
    if let executor {
      executor.enqueue(ExecutorJob(job))
    } else {
      globalConcurrentExecutor.enqueue(ExecutorJob(job))
    }
  }

  private func forget() {
    let task = memory.withLock { memory in
      defer { memory.task = nil }
      return memory.task
    }
    _ = consume task
  }
}
