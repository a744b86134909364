/// The end of some work, which any number of tasks can wait for.
@usableFromInline
package final class Completion: Sendable {
  @usableFromInline
  struct Waiters: Sendable {
    var isFinished = false
    var nextID: UInt64 = 0
    var continuations: [UInt64: CheckedContinuation<Void, Never>] = [:]
    /// Waiters whose task was cancelled before they had a continuation.
    var cancelledEarly: Set<UInt64> = []
    /// What effects wait for that have to end before this work does.
    var heldUpBy: [Completion] = []
  }

  private let waiters = Lock(Waiters())

  @usableFromInline
  package init() {}

  /// Lets all waiters go on, and all later ones at once.
  @usableFromInline
  package func finish() {
    let continuations = waiters.withLock { waiters in
      waiters.isFinished = true
      defer { waiters.continuations = [:] }
      return Array(waiters.continuations.values)
    }
    for continuation in continuations { continuation.resume() }
  }

  /// Waits for the end of the work, or of the calling task's patience: it returns early, and ends
  /// nothing, when that task is cancelled.
  package func wait() async {
    let id = waiters.withLock { waiters in
      waiters.nextID += 1
      return waiters.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = waiters.withLock { waiters in
          if waiters.isFinished || waiters.cancelledEarly.remove(id) != nil { return true }
          waiters.continuations[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let continuation = waiters.withLock { waiters in
        if let continuation = waiters.continuations.removeValue(forKey: id) {
          return Optional(continuation)
        }
        if !waiters.isFinished { waiters.cancelledEarly.insert(id) }
        return nil
      }
      continuation?.resume()
    }
    waiters.withLock { waiters in _ = waiters.cancelledEarly.remove(id) }
  }
}

extension Completion {
  /// Runs `wait`, which waits for this work, on behalf of an effect that itself has to end before
  /// `ahead` are finished; answers false, and does not run it, if those hold up this work in turn.
  ///
  /// The wait is noted before it is looked for: of two effects that begin to wait for each other at
  /// once, at least one finds the other's note.
  func hold(up ahead: [Completion], while wait: () async -> Void) async -> Bool {
    for completion in ahead { completion.waiters.withLock { $0.heldUpBy.append(self) } }
    let waits = !isHeldUp(byAnyOf: ahead)
    if waits { await wait() }
    for completion in ahead {
      completion.waiters.withLock { waiters in
        guard let index = waiters.heldUpBy.firstIndex(where: { $0 === self }) else { return }
        waiters.heldUpBy.remove(at: index)
      }
    }
    return waits
  }

  /// Whether this work is one of `others`, or cannot end before one of them does.
  private func isHeldUp(byAnyOf others: [Completion]) -> Bool {
    let wanted = Set(others.map(ObjectIdentifier.init))
    var seen: Set<ObjectIdentifier> = []
    var toVisit = [self]
    while let completion = toVisit.popLast() {
      if wanted.contains(ObjectIdentifier(completion)) { return true }
      guard seen.insert(ObjectIdentifier(completion)).inserted else { continue }
      toVisit += completion.waiters.withLock { $0.heldUpBy }
    }
    return false
  }
}
