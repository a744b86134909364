import SideEffects
import Store
import TestSupport

/// Counts the values of a kind that are alive, and the most there ever were.
final class Census: Sendable {
  private let counts = Lock((alive: 0, most: 0, empty: Gate?.none))

  var most: Int { counts.withLock { $0.most } }

  func enter() {
    counts.withLock { counts in
      counts.alive += 1
      counts.most = max(counts.most, counts.alive)
    }
  }

  func leave() {
    let empty = counts.withLock { counts in
      counts.alive -= 1
      return counts.alive == 0 ? counts.empty : nil
    }
    empty?.open()
  }

  /// Waits until none is alive; what leaks one runs into the time limit.
  ///
  /// The end of an effect is known a moment before its task is gone, and with it what it held.
  func waitUntilEmpty() async {
    let gate = counts.withLock { counts in
      guard counts.alive > 0 else { return nil as Gate? }
      let gate = counts.empty ?? Gate()
      counts.empty = gate
      return gate
    }
    await gate?.wait()
  }
}
