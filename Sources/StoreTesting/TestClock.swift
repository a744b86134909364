import Store

/// A clock whose time passes only when a test says so.
///
/// ```swift
/// let clock = TestClock()
/// // … something sleeps on the clock for three seconds …
/// await clock.advance(by: .seconds(3))
/// ```
///
/// Sleepers wake in the order in which they are due, and each of them sees the time at which it was
/// due, however far the clock is advanced. Those due at one time wake in the order in which they
/// began to sleep. What a sleeper does next belongs to that time: if it sleeps again, and is due
/// before the advance is over, it wakes again in the same advance.
///
/// That needs to know when everything that was woken has done what it can, and only the executor on
/// which it runs knows. So the promise holds for the clock of a ``TestStore``, which has one for its
/// effects, and for what runs there without leaving, for the main actor say. A clock that no store
/// was given wakes who is due, lets other tasks go first once, and goes on: who is not back asleep
/// by then is late, and sleeps from the time that it finds.
///
/// The time never goes back.
public final class TestClock: Clock, Sendable {
  /// A time of a test clock: how much time had passed, from the clock's beginning.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// The time that has passed since the beginning of the clock.
    public let offset: Swift.Duration

    /// Creates a time.
    ///
    /// - Parameter offset: how long after the beginning of the clock.
    public init(offset: Swift.Duration) { self.offset = offset }

    /// Returns the time so much later; where that is more than a time can be, the latest there is,
    /// and the earliest likewise.
    public func advanced(by duration: Swift.Duration) -> Instant {
      let (sum, isTooFar) = offset.attoseconds.addingReportingOverflow(duration.attoseconds)
      let limit: Int128 = duration < .zero ? .min : .max
      return Instant(offset: Swift.Duration(attoseconds: isTooFar ? limit : sum))
    }

    /// Returns how long it is until another time, or the longest duration where it is longer.
    public func duration(to other: Instant) -> Swift.Duration {
      let (difference, isTooFar) =
        other.offset.attoseconds.subtractingReportingOverflow(offset.attoseconds)
      let limit: Int128 = other < self ? .min : .max
      return Swift.Duration(attoseconds: isTooFar ? limit : difference)
    }

    /// Whether a time comes before another.
    public static func < (first: Instant, second: Instant) -> Bool {
      first.offset < second.offset
    }
  }

  private struct Sleeper {
    let continuation: CheckedContinuation<Bool, Never>
    /// The task that sleeps.
    let task: TaskIdentity?

    func resume(isDue: Bool) { continuation.resume(returning: isDue) }
  }

  private struct Memory {
    var now = Instant(offset: .zero)
    var lastID: UInt64 = 0
    var sleepers = TimerHeap<Instant, Sleeper>()
  }

  /// The executor of those who sleep.
  private struct Owner {
    var executor: DeterministicExecutor?
    /// How many stores run their effects there.
    var storeCount = 0
  }

  private let memory = Lock(Memory())
  private let owner: Lock<Owner>

  /// Creates a clock that stands at its beginning.
  public convenience init() { self.init(executor: nil) }

  /// Creates a clock whose sleepers run on `executor`, if there is one.
  package init(executor: DeterministicExecutor?) { owner = Lock(Owner(executor: executor)) }

  /// The time that the clock was advanced to.
  public var now: Instant { memory.withLock { $0.now } }

  /// The smallest step of the time, which is as small as a duration can be.
  public var minimumResolution: Swift.Duration { Swift.Duration(attoseconds: 1) }

  /// Who sleeps, in the order in which they are due.
  package var sleepers: [(id: UInt64, due: Instant)] {
    memory.withLock { $0.sleepers.sorted.map { (id: $0.id, due: $0.deadline) } }
  }
}

extension TestClock {
  /// Suspends the task until the clock has been advanced to a time.
  ///
  /// A time that has come returns at once.
  ///
  /// - Parameters:
  ///   - deadline: when to go on.
  ///   - tolerance: not used.
  /// - Throws: `CancellationError` if the task is or was cancelled; not if it is cancelled after the
  ///   clock has woken it.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    let id = memory.withLock { memory in
      memory.lastID += 1
      return memory.lastID
    }
    let task = TaskIdentity.current
    let isDue = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let sleeper = Sleeper(continuation: continuation, task: task)
        let answer = add(sleeper, id: id, deadline: deadline)
        if let answer { sleeper.resume(isDue: answer) }
      }
    } onCancel: {
      let sleeper = memory.withLock { $0.sleepers.remove(id: id) }
      sleeper?.resume(isDue: false)
    }
    guard isDue else { throw CancellationError() }
  }

  /// Keeps the sleeper, or returns the answer that is known already: whether it is due.
  private func add(_ sleeper: Sleeper, id: UInt64, deadline: Instant) -> Bool? {
    memory.withLock { memory in
      // A task is marked as cancelled before its handlers run. So either the mark is seen here, or
      // the handler comes after this and finds the sleeper.
      guard !Task.isCancelled else { return false }
      guard deadline > memory.now else { return true }
      memory.sleepers.insert(sleeper, id: id, deadline: deadline)
      return nil
    }
  }
}

extension TestClock {
  /// Lets time pass, and wakes whoever is due on the way.
  ///
  /// With an executor, everything on it runs as far as it can, before the first step and after each.
  /// So nothing at all, or less, moves no time, and still lets run what is ready. One advance
  /// at a time: one that begins during another ends at the later of both times.
  ///
  /// - Parameter duration: how much time passes.
  public func advance(by duration: Swift.Duration) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Lets time pass until `deadline`, and wakes whoever is due on the way.
  ///
  /// As ``advance(by:)``; a time that has passed moves no time.
  ///
  /// - Parameter deadline: the time that it is then.
  public func advance(to deadline: Instant) async {
    await settle()
    while let due = step(to: deadline) {
      for sleeper in due { sleeper.resume(isDue: true) }
      await settle()
    }
  }

  /// Lets time pass until nobody sleeps.
  ///
  /// Whoever sleeps again and again, as a poll does, keeps it from returning. It returns early when
  /// its task is cancelled.
  public func run() async {
    await settle()
    while !Task.isCancelled, let due = step(to: nil) {
      for sleeper in due { sleeper.resume(isDue: true) }
      await settle()
    }
  }

  /// Moves the time on to when the next sleepers are due, takes them out and returns them; or moves
  /// it to `deadline` and returns nil, if nobody is due by then.
  private func step(to deadline: Instant?) -> [Sleeper]? {
    memory.withLock { memory in
      // In one critical section: who begins to sleep later finds the new time.
      guard let next = memory.sleepers.first?.deadline, next <= deadline ?? next else {
        memory.now = max(memory.now, deadline ?? memory.now)
        return nil
      }
      memory.now = next
      var due: [Sleeper] = []
      while let sleeper = memory.sleepers.removeFirst(dueBy: next) { due.append(sleeper.value) }
      return due
    }
  }

  /// Lets everything that was woken run as far as it can.
  private func settle() async {
    guard let executor = owner.withLock({ $0.executor }) else { return await Task.yield() }
    await executor.drain()
  }
}

extension TestClock {
  /// The tasks that sleep, and when they are due.
  var sleepingTasks: [TaskIdentity: Instant] {
    let sleepers = memory.withLock { $0.sleepers.sorted }
    var due: [TaskIdentity: Instant] = [:]
    for sleeper in sleepers {
      if let task = sleeper.value.task { due[task] = sleeper.deadline }
    }
    return due
  }

  /// Returns the executor on which a store with this clock runs its effects, until ``leave()``.
  ///
  /// Stores that share a clock share the executor: only so do their effects take turns in one order.
  func join() -> DeterministicExecutor {
    owner.withLock { owner in
      let executor = owner.executor ?? DeterministicExecutor()
      owner.executor = executor
      owner.storeCount += 1
      return executor
    }
  }

  /// Lets the executor go with the last store: from then on nobody runs what comes.
  func leave() {
    owner.withLock { owner in
      owner.storeCount -= 1
      guard owner.storeCount == 0 else { return }
      owner.executor?.letGo()
      owner.executor = nil
    }
  }
}
