import Store

/// What the tasks of a run wait for, as far as they say: a pure value.
struct RunWaits {
  private enum Entry {
    /// A wait of a task; nil for what other tasks of the run say, or another wait of the same task.
    case wait(EffectWait?, of: TaskIdentity?)
    /// A task that the library made for the run, besides that of its body.
    case child(TaskIdentity)
  }

  /// In one place, and in the order of their numbers: most runs have none.
  private var entries: [UInt64: Entry] = [:]

  mutating func begin(_ wait: EffectWait?, of task: TaskIdentity?, number: UInt64) {
    entries[number] = .wait(wait, of: task)
  }

  mutating func begin(child: TaskIdentity, number: UInt64) { entries[number] = .child(child) }

  mutating func end(number: UInt64) { entries[number] = nil }

  /// The waits in the order in which they began; outside the library waits who does not say.
  ///
  /// Of tasks that the body makes itself nothing is known but what they say, which is taken for the
  /// body's.
  var all: [EffectWait] {
    var (known, waiting, children) = ([EffectWait](), Set<TaskIdentity>(), Set<TaskIdentity>())
    for (_, entry) in entries.sorted(by: { $0.key < $1.key }) {
      switch entry {
      case .child(let task): children.insert(task)
      case .wait(let wait, let task):
        if let wait { known.append(wait) }
        if let task { waiting.insert(task) }
      }
    }
    let allSay = children.isSubset(of: waiting) && !waiting.isSubset(of: children)
    return allSay && !known.isEmpty ? known : known + [.outside]
  }
}
