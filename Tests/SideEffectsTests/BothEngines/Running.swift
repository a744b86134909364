import TestSupport

/// How many bodies are at work, and the most that ever were.
final class Running: Sendable {
  private let counts = TestLock((now: 0, most: 0))

  var count: Int { counts.withLock { $0.now } }
  var most: Int { counts.withLock { $0.most } }

  func enter() {
    counts.withLock { counts in
      counts.now += 1
      counts.most = max(counts.most, counts.now)
    }
  }

  func leave() { counts.withLock { $0.now -= 1 } }
}
