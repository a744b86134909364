import Store

/// What the tasks of a run wait for, as far as they say: a pure value.
struct RunWaits {
  private struct Wait {
    /// Nil for what other tasks of the run say, or another wait of the same task.
    let wait: EffectWait?
    let task: TaskIdentity?
  }

  private var waits: [UInt64: Wait] = [:]
  /// The tasks that the library made for the run, besides that of its body.
  private var children: Set<TaskIdentity> = []

  mutating func begin(_ wait: EffectWait?, of task: TaskIdentity?, number: UInt64) {
    waits[number] = Wait(wait: wait, task: task)
  }

  mutating func end(number: UInt64) { waits[number] = nil }

  mutating func begin(child: TaskIdentity) { children.insert(child) }

  mutating func end(child: TaskIdentity) { children.remove(child) }

  /// The waits in the order in which they began; outside the library waits who does not say.
  ///
  /// Of tasks that the body makes itself nothing is known but what they say, which is taken for the
  /// body's.
  var all: [EffectWait] {
    let waiting = Set(waits.values.compactMap(\.task))
    let known = waits.sorted { $0.key < $1.key }.compactMap(\.value.wait)
    let allSay = children.isSubset(of: waiting) && !waiting.isSubset(of: children)
    return allSay && !known.isEmpty ? known : known + [.outside]
  }
}
