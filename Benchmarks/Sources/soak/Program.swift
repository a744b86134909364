import SideEffects

/// What one store goes through: effects, those who send and cancel, and how it ends.
///
/// All of it is drawn from the seed. What the threads make of it is not.
struct Program: Sendable {
  let seed: UInt64
  /// Whether bodies sleep for an hour, and end only if something cancels them.
  let hasHours: Bool
  let effects: [EffectPlan]
  let workers: [Worker]
  let ending: Ending

  /// An effect of the store.
  struct EffectPlan: Sendable {
    let policy: EffectPolicy
    /// How many runs may be alive at once for one key; nil if as many as come.
    let limit: Int?
    let isLatest: Bool
    let isKeyed: Bool
    /// Whether a run ends with the element that it is about.
    let isBound: Bool
    /// What a run does; which of them depends on the action.
    let bodies: [[Step]]
  }

  /// Something that a body does.
  indirect enum Step: Sendable {
    case sleep(Duration)
    case yield
    case note
    case start(effect: Int, key: Int, awaited: Bool)
    case take(timeout: Duration)
    case ask
    case race([[Step]])
    case fork([Step], isCancelled: Bool)
    case spawn([Step])
    case retry(times: Int, failures: Int, delay: Duration)
    case share(forced: Bool, Duration)
    case poll(times: Int, every: Duration)
    case timeout(Duration, [Step])
    case ignoreCancellation(Duration)
    case cancel(Target)
    case fail
  }

  /// What is cancelled.
  enum Target: Sendable {
    case key(Int)
    case named(Int)
    case namedKey(Int, Int)
    case all
  }

  /// A thread, or a task, that uses the store.
  struct Worker: Sendable {
    let isThread: Bool
    let operations: [Operation]
  }

  enum Operation: Sendable {
    case dispatch(effect: Int, key: Int)
    case cancel(Target)
    /// Cancels what one of the last dispatches set off.
    case cancelHandle(Int)
    /// Waits for what one of the last dispatches set off; a thread does not.
    case finish(Int)
    case remove(key: Int)
    case signal
    case inspect
    case pause
  }

  enum Ending: Sendable {
    case idle
    /// The last reference goes with effects still running.
    case drop
    case shutdown(grace: Duration, whileWorking: Bool)
  }
}
