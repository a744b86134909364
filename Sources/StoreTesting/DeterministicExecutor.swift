package import SideEffects
package import Store

/// An executor that keeps its jobs until it is told to run them, one after the other on the thread
/// that tells it.
///
/// Tasks that prefer it take the same turns in every run, because nothing but the order in which
/// their jobs came decides: the first to come is the first to run. With a seed the next is drawn
/// among those that wait; each seed gives one order, so that a test can go through many.
///
/// ```swift
/// let executor = DeterministicExecutor()
/// let task = Task(executorPreference: executor) { await work() }
/// executor.runUntilIdle()
/// ```
///
/// Task groups, `async let`, actors without an executor of their own, `AsyncStream`, cancellation
/// handlers and `Task.yield()` stay on it. `Task {}` and `Task.detached` without a preference leave
/// for good. `Task.sleep`, continuations that another thread resumes, the main actor and actors with
/// an executor of their own leave and come back, at a time of their own: ``waitForJob(timeout:)``.
///
/// Any thread may enqueue at any time. Only one call runs jobs at a time.
package final class DeterministicExecutor: TaskExecutor {
  private struct Memory {
    var jobs: JobList
    var seen = SeenTasks()
    /// Whether a call is running jobs.
    var isRunning = false
    var runCount = 0
    /// Those who wait until a call that runs jobs has run them all.
    var idleWaiters: [CheckedContinuation<Bool, Never>] = []
    /// Finished by the next job; nil while nobody waits.
    var arrival: Completion?
    /// Whether nobody tells it to run jobs any more.
    var isLetGo = false
  }

  private let memory: Lock<Memory>

  /// Creates an executor that has no jobs.
  ///
  /// - Parameter seed: draws the next job among those that wait; nil takes them as they came.
  package init(seed: UInt64? = nil) {
    memory = Lock(Memory(jobs: JobList(seed: seed)))
  }

  /// Whether no job waits and none is running.
  ///
  /// What waits for something outside, a foreign continuation say, is no job.
  package var isIdle: Bool { memory.withLock { $0.jobs.isEmpty && !$0.isRunning } }

  /// How many jobs were run.
  package var runCount: Int { memory.withLock { $0.runCount } }

  /// Takes a job, to be run when the executor is told to.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (task, owner) = (TaskIdentity(of: job), TaskOwner.current)
    let (isTaken, arrival) = memory.withLock { memory -> (Bool, Completion?) in
      guard !memory.isLetGo else { return (false, nil) }
      memory.seen.enqueue(task, by: owner) { job.taskNumber }
      memory.jobs.append(job)
      defer { memory.arrival = nil }
      return (true, memory.arrival)
    }
    guard isTaken else { return globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    arrival?.finish()
  }

  /// Hands the jobs that wait, and all that come, on to the global executor.
  ///
  /// For when nobody is left to tell it to run them: what is still under way ends by itself.
  package func letGo() {
    let jobs = memory.withLock { memory -> [UnownedJob] in
      memory.isLetGo = true
      var jobs: [UnownedJob] = []
      while let job = memory.jobs.removeNext() { jobs.append(job) }
      return jobs
    }
    for job in jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }
}

extension DeterministicExecutor: TaskWatcher {
  package func begin(_ task: TaskIdentity, of owner: TaskOwner) {
    memory.withLock { $0.seen.begin(task, of: owner) }
  }

  package func end(_ task: TaskIdentity) { memory.withLock { $0.seen.end(task) } }

  package func beginWait(_ wait: TaskWait, of task: TaskIdentity) {
    let owner = TaskOwner.current
    memory.withLock { $0.seen.beginWait(wait, of: task, owner: owner) }
  }

  package func endWait(of task: TaskIdentity) { memory.withLock { $0.seen.endWait(of: task) } }

  /// The tasks that it has seen.
  var seenTasks: SeenTasks { memory.withLock { $0.seen } }
}

extension TaskIdentity {
  /// The task of a job; of an actor's it is what no task is.
  fileprivate init(of job: UnownedJob) {
    // A job is a reference to its task. Only the address is taken, and nothing is read there.
    unsafe self.init(address: unsafeBitCast(job, to: UInt.self))
  }
}

extension UnownedJob {
  /// The number that its task has in descriptions, and no other ever; nil for an actor's job.
  fileprivate var taskNumber: UInt64? {
    UInt64(String(decoding: description.utf8.filter { (48...57).contains($0) }, as: UTF8.self))
  }
}

extension DeterministicExecutor {
  private enum Step: Sendable {
    case run(UnownedJob)
    case tellIdle(CheckedContinuation<Bool, Never>)
    case stop
  }

  /// Runs one job.
  ///
  /// - Returns: False if no job waits, or if another call is running jobs: on another thread, or on
  ///   this one when a job calls it.
  @discardableResult
  package func runOne() -> Bool {
    let job = memory.withLock { memory -> UnownedJob? in
      guard !memory.isRunning, let job = memory.jobs.removeNext() else { return nil }
      memory.isRunning = true
      memory.runCount += 1
      return job
    }
    guard let job else { return false }
    run(job)
    let idleWaiters = memory.withLock { memory -> [CheckedContinuation<Bool, Never>] in
      memory.isRunning = false
      guard memory.jobs.isEmpty else { return [] }
      defer { memory.idleWaiters = [] }
      return memory.idleWaiters
    }
    for waiter in idleWaiters { waiter.resume(returning: true) }
    return true
  }

  /// Runs jobs until none waits, those that came meanwhile too.
  ///
  /// It does not return while jobs go on making jobs: a task that yields for ever keeps it.
  ///
  /// - Returns: False if it ran none because another call is running jobs: on another thread, or on
  ///   this one when a job calls it.
  @discardableResult
  package func runUntilIdle() -> Bool {
    let begins = memory.withLock { memory in
      defer { memory.isRunning = true }
      return !memory.isRunning
    }
    guard begins else { return false }
    while true {
      switch memory.withLock({ Self.nextStep(&$0) }) {
      case .run(let job): run(job)
      case .tellIdle(let waiter): waiter.resume(returning: true)
      case .stop: return true
      }
    }
  }

  /// Returns when everything on the executor has run as far as it can.
  ///
  /// It runs the jobs itself, on the calling thread. Where another call is running them, which is so
  /// for a task on this executor, it waits for that call to have run all others; of several that
  /// wait, one goes on at a time, in the order in which they began. It does not end early when its
  /// task is cancelled.
  package func drain() async {
    while !runUntilIdle() {
      let isIdle = await withCheckedContinuation { continuation in
        let waits = memory.withLock { memory in
          // The other call may just have ended.
          guard memory.isRunning else { return false }
          memory.idleWaiters.append(continuation)
          return true
        }
        if !waits { continuation.resume(returning: false) }
      }
      if isIdle { return }
    }
  }

  /// Waits for a job that comes from outside, when there is nothing to run.
  ///
  /// To be called by whoever runs the jobs, and not by a task on this executor. Real time limits the
  /// wait, since nobody can know when something outside answers; it ends early when the task is
  /// cancelled.
  ///
  /// - Parameter timeout: how long to wait at most.
  /// - Returns: Whether a job came; true at once if one waits already.
  package func waitForJob(timeout: Duration) async -> Bool {
    let arrival = memory.withLock { memory -> Completion? in
      guard memory.jobs.isEmpty else { return nil }
      let arrival = memory.arrival ?? Completion()
      memory.arrival = arrival
      return arrival
    }
    guard let arrival else { return true }
    let came = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await arrival.wait()
        return !Task.isCancelled
      }
      group.addTask {
        try? await TimerClock.timers.sleep(for: timeout)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
    return came || memory.withLock { !$0.jobs.isEmpty }
  }

  private static func nextStep(_ memory: inout Memory) -> Step {
    if let job = memory.jobs.removeNext() {
      memory.runCount += 1
      return .run(job)
    }
    guard memory.idleWaiters.isEmpty else { return .tellIdle(memory.idleWaiters.removeFirst()) }
    memory.isRunning = false
    return .stop
  }

  private func run(_ job: UnownedJob) {
    // An unowned executor must outlive the job that runs on it. `self` is alive until this call
    // returns, and a task that prefers it holds it beyond that.
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// The jobs that wait, in the order in which they came.
private struct JobList {
  /// Those before `next` were run.
  private var jobs: [UnownedJob] = []
  private var next = 0
  private var random: JobDraw?

  init(seed: UInt64?) { random = seed.map(JobDraw.init) }

  var isEmpty: Bool { next == jobs.count }

  mutating func append(_ job: UnownedJob) {
    // The room of those that were run is used again, also if some always wait.
    if next > 1_000, next > jobs.count / 2 {
      jobs.removeFirst(next)
      next = 0
    }
    jobs.append(job)
  }

  mutating func removeNext() -> UnownedJob? {
    guard next < jobs.count else { return nil }
    // Without a drawn place nothing moves; with one, the order of those left is not that in which
    // they came, but the same in every run.
    if let drawn = random?.index(in: next..<jobs.count) { jobs.swapAt(next, drawn) }
    defer {
      next += 1
      if next == jobs.count {
        jobs.removeAll(keepingCapacity: true)
        next = 0
      }
    }
    return jobs[next]
  }
}

/// Steele, Lea and Flood's generator SplitMix64, which gives the same numbers on every platform.
private struct JobDraw: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func index(in range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
}
