import SideEffects
import Store

/// What a store is still at.
struct Activity: Sendable {
  /// The runs of effects that are alive.
  let runs: [LiveEffect]
  /// How many effects were cancelled, or replaced by a later action, and have not ended yet.
  let cancelled: Int

  init(runs: [LiveEffect], cancelled: Int) {
    self.runs = runs
    self.cancelled = cancelled
  }

  /// What `store` is at now.
  init<State>(of store: Store<State>) {
    let runs = store.liveEffects().filter { !$0.isBackground }
    // Effects that end or start between the two questions are no reason to fall below zero.
    self.init(runs: runs, cancelled: max(0, store.effects.current - runs.count))
  }
}

extension Activity: CustomStringConvertible {
  /// How many effects are still running, and one line for each of them.
  var description: String {
    guard !runs.isEmpty || cancelled > 0 else {
      return "No effect is running, but a link of the chain or an item has not returned."
    }
    let total = runs.count + cancelled
    var lines = [total == 1 ? "1 effect is still running:" : "\(total) effects are still running:"]
    lines += runs.map { run in
      "  \(run)"
    }
    if cancelled == 1 { lines.append("  one that was cancelled, whose body has not returned") }
    if cancelled > 1 {
      lines.append("  \(cancelled) that were cancelled, whose bodies have not returned")
    }
    return lines.joined(separator: "\n")
  }

  /// The runs, as a text speaks of them that has named them.
  var them: String { runs.count == 1 ? "it" : "them" }

  /// The call that cancels the runs.
  var cancelCall: String {
    guard let name = runs.first?.name, runs.allSatisfy({ $0.name == name }) else {
      return "`cancelEffects(.all)`"
    }
    return "`cancelEffects(.named(\"\(name)\"))`"
  }
}
