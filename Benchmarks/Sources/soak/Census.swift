import Synchronization

/// Counts what is alive, and tells when nothing is.
final class Census: Sendable {
  private struct Counts {
    var begun = 0
    var alive = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  let name: String
  private let counts = Mutex(Counts())

  init(_ name: String) { self.name = name }

  var begun: Int { counts.withLock { $0.begun } }
  var alive: Int { counts.withLock { $0.alive } }

  func enter() {
    counts.withLock { counts in
      counts.begun += 1
      counts.alive += 1
    }
  }

  func leave() {
    let waiter = counts.withLock { counts -> CheckedContinuation<Void, Never>? in
      counts.alive -= 1
      guard counts.alive == 0 else { return nil }
      defer { counts.waiter = nil }
      return counts.waiter
    }
    waiter?.resume()
  }

  /// Returns when nothing is alive; one task may wait.
  func waitUntilEmpty() async {
    await withCheckedContinuation { continuation in
      let isEmpty = counts.withLock { counts in
        if counts.alive > 0 { counts.waiter = continuation }
        return counts.alive == 0
      }
      if isEmpty { continuation.resume() }
    }
  }
}

/// Is counted for as long as anything holds it.
final class Counted: Sendable {
  private let census: Census

  init(in census: Census) {
    self.census = census
    census.enter()
  }

  deinit { census.leave() }
}
