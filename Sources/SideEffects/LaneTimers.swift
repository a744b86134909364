import Store

/// When something happens in which lane of an ``EffectRunnerStateMachine``: a pure value.
///
/// Most often a time is put off, again and again. The timer is left where it is then: it rings too
/// early, and is set for the time that is wanted by then (`debounce.churn`).
struct LaneTimers {
  private var timers = TimerHeap<Duration, EffectKey?>()
  private var lastID: UInt64 = 0

  var isEmpty: Bool { timers.isEmpty }

  /// When the next timer rings; not after something is due.
  var nextDue: Duration? { timers.first?.deadline }

  /// Lets something happen in a lane when it is due, or nothing.
  ///
  /// What is due at the same time happens in the order in which it was wanted.
  mutating func set(_ timer: inout LaneTimer, for due: Duration?, key: EffectKey?) {
    if timer.wanted?.due != due {
      timer.wanted = due.map { due in
        lastID += 1
        return (lastID, due)
      }
    }
    if let set = timer.set {
      if let due, set.due <= due { return }
      _ = timers.remove(id: set.id)
    }
    timer.set = timer.wanted
    if let (id, due) = timer.wanted { timers.insert(key, id: id, deadline: due) }
  }

  /// Takes out the first timer that rings by `now`; see ``LaneTimer/rings(_:)``.
  mutating func removeFirst(dueBy now: Duration) -> TimerHeap<Duration, EffectKey?>.Entry? {
    timers.removeFirst(dueBy: now)
  }
}

/// When something happens in one lane.
struct LaneTimer {
  /// What it is to happen by.
  fileprivate var wanted: (id: UInt64, due: Duration)?
  /// The timer that is set, which rings no later.
  fileprivate var set: (id: UInt64, due: Duration)?

  /// Notes that the timer that was set has rung; answers whether something is due by it, and not
  /// later.
  mutating func rings(_ id: UInt64) -> Bool {
    set = nil
    guard let wanted, wanted.id == id else { return false }
    self.wanted = nil
    return true
  }
}
