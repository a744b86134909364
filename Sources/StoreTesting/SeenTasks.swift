import SideEffects
import Store

/// The tasks that an executor has seen, for whom they work, and which of them wait for the library:
/// a pure value.
///
/// Those that the library makes say when they end. Of those that a body makes itself, as children or
/// with the executor as their preference, nobody learns the end: they count as long as their owner
/// is asked about, or until another task has their address.
struct SeenTasks {
  private struct SeenTask {
    /// For what it works; nil if for no effect.
    var owner: TaskOwner?
    /// Whether the library made it.
    var isOwn: Bool
    /// Its number among all tasks of the process, once a job of it has come.
    var number: UInt64?
    /// What it waits for, one wait within the other.
    var waits: [TaskWait] = []
  }

  private var tasks: [TaskIdentity: SeenTask] = [:]

  init() {}

  /// Notes that a job came; asks for the number of its task only if that is needed.
  ///
  /// - Parameters:
  ///   - task: the task of the job.
  ///   - owner: that of the task that enqueues it, which for the first job is the one that makes it.
  ///   - number: the number of the task; nil if it is none, but an actor.
  mutating func enqueue(_ task: TaskIdentity, by owner: TaskOwner?, number: () -> UInt64?) {
    let known = tasks[task]
    guard known?.isOwn != true, let number = number() else { return }
    if let known, known.number == number { return }
    if known != nil, known?.number == nil {
      tasks[task]?.number = number
    } else {
      tasks[task] = SeenTask(owner: owner, isOwn: false, number: number)
    }
  }

  mutating func begin(_ task: TaskIdentity, of owner: TaskOwner) {
    tasks[task] = SeenTask(owner: owner, isOwn: true)
  }

  mutating func end(_ task: TaskIdentity) { tasks[task] = nil }

  /// Notes that a task waits; one of which no job has come works for `owner`.
  mutating func beginWait(_ wait: TaskWait, of task: TaskIdentity, owner: TaskOwner?) {
    tasks[task, default: SeenTask(owner: owner, isOwn: false)].waits.append(wait)
  }

  mutating func endWait(of task: TaskIdentity) { _ = tasks[task]?.waits.popLast() }
}

extension SeenTasks {
  /// What is known of the tasks of one owner.
  struct Sight: Equatable, Sendable {
    /// Whether none of them does anything before the test does something.
    var isAsleep = true
    /// Whether one that the library made waits for something outside, or does not wait.
    var isOutside = false
    /// Whether one may that the library did not make, if it has not ended.
    var mayBeOutside = false
    /// When those are due that sleep on the clock of the test by themselves, not by the library.
    var due: [Duration] = []
  }

  /// What is known of the tasks of each owner, given who sleeps on the clock, and until when.
  func sights(asleep: [TaskIdentity: Duration]) -> [TaskOwner: Sight] {
    var sights: [TaskOwner: Sight] = [:]
    var calls: [TaskOwner: [TaskOwner]] = [:]
    for (identity, task) in tasks {
      guard let owner = task.owner else { continue }
      var sight = sights[owner] ?? Sight()
      switch task.waits.last {
      case .library: break
      case .call(let call): calls[owner, default: []].append(call)
      case .unknownCall: sight.isAsleep = false
      case nil:
        if let due = asleep[identity] {
          sight.due.append(due)
        } else {
          sight.isAsleep = false
          if task.isOwn { sight.isOutside = true } else { sight.mayBeOutside = true }
        }
      }
      sights[owner] = sight
    }
    spread(along: calls, in: &sights)
    for owner in sights.keys { sights[owner]?.due.sort() }
    return sights
  }

  /// Who waits for a call that is not asleep is not, either.
  private func spread(
    along calls: [TaskOwner: [TaskOwner]], in sights: inout [TaskOwner: Sight]
  ) {
    var waiting: [TaskOwner: [TaskOwner]] = [:]
    var awake = sights.filter { !$0.value.isAsleep }.map(\.key)
    for (owner, calls) in calls {
      for call in calls {
        waiting[call, default: []].append(owner)
        // A call without tasks has not begun, or is over.
        if sights[call] == nil { awake.append(call) }
      }
    }
    while let call = awake.popLast() {
      for owner in waiting[call] ?? [] where sights[owner]?.isAsleep == true {
        sights[owner]?.isAsleep = false
        awake.append(owner)
      }
    }
  }
}
