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
  /// What waits for what, in all stores: an effect of one may wait for a dispatch of another.
  private static let waits = Lock(WaitGraph())

  /// How somebody may wait for some work.
  private enum Wait {
    /// Nobody else is concerned.
    case free
    /// What the waiting effect works for cannot end before.
    case holdingUp(Completion)
    /// The effect would wait for itself.
    case circular(any EffectSender)
  }

  /// Waits by `wait` until this work is over.
  ///
  /// An effect that waits here for work which cannot end before the effect does is told so, and does
  /// not wait. The wait does not hold the effect's lineage, so an effect that ends meanwhile,
  /// because a task of its body waits and not the body, has ended.
  ///
  /// - Parameters:
  ///   - call: the public call that waits, to be named in the report.
  ///   - wait: does the waiting.
  func wait(for call: String, by wait: () async -> Void) async {
    switch beginWait(of: CurrentEffect.value) {
    case .free: await wait()
    case .holdingUp(let work):
      await wait()
      Self.waits.withLock { $0.forget(work, waitsFor: self) }
    case .circular(let effect):
      effect.store.report(.effectWaitsForItself(effect: effect.name, call: call))
    }
  }

  /// Notes that `effect`, if it is one that has not ended, is going to wait for this work.
  private func beginWait(of effect: (any EffectSender)?) -> Wait {
    guard let effect, let lineage = effect.lineage else { return .free }
    // The store is not idle before the effect has ended: that comes after all it works for.
    let line = Array(lineage.completionsAhead) + [effect.store.rest]
    let isNoted = Self.waits.withLock { $0.note(line, waitsFor: self) }
    return isNoted ? .holdingUp(lineage.completion) : .circular(effect)
  }
}
