/// Which timers there are, and what the thread is doing that waits for them: a pure value.
///
/// ```
///           add                  turn
/// absent ────────▶ awake ────────────────────▶ waiting (there are timers)
///   ▲                ▲ ▲──── add, turn ───────────┘
///   │                └────── add ───────── lingering (there are none)
///   └──────────────────────── turn ───────────┘
/// ```
///
/// Removing a timer never wakes the thread: it wakes when that timer would have been due, and finds
/// out then.
struct TimerQueueStateMachine<Value: Sendable>: Sendable {
  typealias Instant = ContinuousClock.Instant

  private enum Thread {
    /// There is none. Can go to: awake.
    case absent
    /// It will look at the timers before it waits. Can go to: waiting, lingering, absent.
    case awake
    /// It waits, and looks at this time or when it is woken. Can go to: awake, waiting, lingering.
    case waiting(until: Instant)
    /// It waits for a first timer, and ends if none comes. Can go to: awake, absent, waiting.
    case lingering
  }

  /// The longest that the thread waits before it looks at the clock again.
  ///
  /// It waits by a clock that stands still while the machine sleeps, which the deadlines' clock does
  /// not. So a timer is late by no more than this after such a sleep.
  static var longestWait: Duration { .seconds(60) }

  private var timers = TimerHeap<Instant, Value>()
  private var thread: Thread = .absent
  /// How long a thread that has no timer waits for one before it ends.
  private let linger: Duration

  init(linger: Duration) { self.linger = linger }

  /// How many timers there are.
  var count: Int { timers.count }
  /// Whether there is a thread, or one is being started.
  var hasThread: Bool { if case .absent = thread { false } else { true } }
}

extension TimerQueueStateMachine {
  /// What to do after a timer was added.
  enum AddAction: Equatable, Sendable {
    /// Nothing: the thread looks in time.
    case nothing
    /// Start the thread.
    case startThread
    /// Wake the thread.
    case wakeThread
  }

  /// Adds a timer; `id` is larger than that of every timer that was made before.
  mutating func add(_ value: Value, id: UInt64, deadline: Instant) -> AddAction {
    timers.insert(value, id: id, deadline: deadline)
    switch thread {
    case .absent:
      thread = .awake
      return .startThread
    case .awake:
      return .nothing
    case .waiting(let wakeUp):
      guard deadline < wakeUp else { return .nothing }
      thread = .awake
      return .wakeThread
    case .lingering:
      thread = .awake
      return .wakeThread
    }
  }

  /// Takes a timer out; returns nil if it was taken out before, or was due.
  mutating func remove(id: UInt64) -> Value? { timers.remove(id: id) }

  /// The thread could not be started; returns the timers, which nobody would wait for.
  mutating func startFailed() -> [Value] {
    thread = .absent
    return timers.removeAll().map(\.value)
  }
}

extension TimerQueueStateMachine {
  /// What the thread does next.
  enum Turn: Sendable {
    /// Tell these timers, in this order, that they are due, and ask again.
    case fire([Value])
    /// Wait for so long, or until woken, and ask again.
    case wait(Duration)
    /// End.
    case end
  }

  /// The thread asks what to do.
  mutating func turn(at now: Instant) -> Turn {
    var due: [Value] = []
    while let timer = timers.removeFirst(dueBy: now) { due.append(timer.value) }
    if !due.isEmpty {
      thread = .awake
      return .fire(due)
    }
    if let next = timers.first {
      // Not a difference of the two if they are far apart: it may be more than a duration can be.
      let limit = now.advanced(by: Self.longestWait)
      let wakeUp = min(next.deadline, limit)
      thread = .waiting(until: wakeUp)
      return .wait(now.duration(to: wakeUp))
    }
    switch thread {
    case .awake, .waiting:
      thread = .lingering
      return .wait(linger)
    case .lingering:
      thread = .absent
      return .end
    case .absent:
      preconditionFailure("a thread of a timer queue that has none asks what to do")
    }
  }
}
