internal import Synchronization

/// Sleeps that forget: one thread waits for the earliest of all deadlines.
///
/// A sleep that is cancelled is gone at once, whenever it would have ended; see ``TimerClock``.
/// The thread starts with the first sleep, does nothing but resume sleepers, and ends a minute
/// after it has found none left.
package final class TimerQueue: Sendable {
  private typealias Sleeper = CheckedContinuation<Void, any Error>

  /// The queue of the process.
  package static let shared = TimerQueue()

  private let machine: Lock<TimerQueueStateMachine<Sleeper>>
  private let wakeUp = WakeSignal()
  private let lastID = Atomic<UInt64>(0)
  private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool

  /// Creates a queue without a thread.
  ///
  /// - Parameters:
  ///   - linger: how long the thread waits for a next sleep when there is none.
  ///   - startThread: runs a function on a thread of its own, or returns false.
  package init(
    linger: Duration = .seconds(60),
    startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = SystemThread.start
  ) {
    machine = Lock(TimerQueueStateMachine(linger: linger))
    self.startThread = startThread
  }

  /// How many sleeps there are.
  package var count: Int { machine.withLock { $0.count } }
  /// Whether there is a thread, or one is being started.
  package var hasThread: Bool { machine.withLock { $0.hasThread } }

  /// Returns the sleep of the task until `deadline`; nil if that has come.
  ///
  /// - Throws: `CancellationError` if the task was cancelled.
  func makeSleep(until deadline: ContinuousClock.Instant) throws -> Sleep? {
    try Task.checkCancellation()
    return deadline > .now ? Sleep(in: self, until: deadline) : nil
  }

  /// Suspends the task until `deadline`, as ``Sleep/run()`` does.
  package func sleep(until deadline: ContinuousClock.Instant) async throws {
    try await Sleep(in: self, until: deadline).run()
  }

  /// One sleep of a task.
  ///
  /// What is kept for the time of a sleep takes memory (`effect.bytes`): this is one word, and all
  /// that is done with instants, whose size the compiler does not know, is done apart from it.
  final class Sleep: Sendable {
    private let queue: TimerQueue
    private let id: UInt64
    private let deadline: ContinuousClock.Instant

    init(in queue: TimerQueue, until deadline: ContinuousClock.Instant) {
      self.queue = queue
      id = queue.lastID.add(1, ordering: .relaxed).newValue
      self.deadline = deadline
    }

    /// Suspends the task; to be called once.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, if that is before it was
    ///   woken; ``NoTimerThread`` if the system has no thread left to wait with.
    @inline(__always)
    func run() async throws {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { begin($0) }
      } onCancel: {
        cancel()
      }
    }

    @inline(never)
    private func begin(_ sleeper: Sleeper) { queue.add(sleeper, id: id, deadline: deadline) }

    private func cancel() {
      let sleeper = queue.machine.withLock { $0.remove(id: id) }
      sleeper?.resume(throwing: CancellationError())
    }
  }

  private func add(_ sleeper: Sleeper, id: UInt64, deadline: ContinuousClock.Instant) {
    let action = machine.withLock { machine -> TimerQueueStateMachine<Sleeper>.AddAction? in
      // A task is marked as cancelled before its handlers run. So either the mark is seen here, or
      // the handler comes after this and finds the sleeper.
      guard !Task.isCancelled else { return nil }
      return machine.add(sleeper, id: id, deadline: deadline)
    }
    switch action {
    case nil: sleeper.resume(throwing: CancellationError())
    case .nothing: break
    case .wakeThread: wakeUp.give()
    case .startThread:
      guard !startThread({ self.work() }) else { return }
      let abandoned = machine.withLock { $0.startFailed() }
      for sleeper in abandoned { sleeper.resume(throwing: NoTimerThread()) }
    }
  }

  /// What the thread does.
  private func work() {
    while true {
      switch machine.withLock({ $0.turn(at: .now) }) {
      case .fire(let sleepers): for sleeper in sleepers { sleeper.resume() }
      case .wait(let limit): wakeUp.wait(atMost: limit)
      case .end: return
      }
    }
  }
}

/// A sleep could not begin, because the system has no thread left to wait with.
package struct NoTimerThread: Error, CustomStringConvertible {
  package var description: String {
    "The system has no thread left for timers; look for what started so many. A later sleep tries "
      + "again."
  }
}
