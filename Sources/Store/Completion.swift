/// The end of some work, which any number of tasks can wait for.
@usableFromInline
package final class Completion: Sendable {
  private struct Waiters {
    var lastID: UInt64 = 0
    var continuations: [UInt64: CheckedContinuation<Void, Never>] = [:]
    /// Waiters who gave up before they had a continuation.
    var cancelledEarly: Set<UInt64> = []
  }

  private struct Memory {
    var isFinished = false
    /// Those who wait; nil if nobody ever did, as for most dispatches.
    var waiters: Waiters?
  }

  private let memory = Lock(Memory())

  @usableFromInline
  package init() {}

  /// Lets all waiters go on, in the order in which they came, and all later ones at once.
  @usableFromInline
  package func finish() {
    let continuations = memory.withLock { memory in
      memory.isFinished = true
      defer { memory.waiters?.continuations = [:] }
      return memory.waiters?.continuations
    }
    guard let continuations else { return }
    for (_, continuation) in continuations.sorted(by: { $0.key < $1.key }) { continuation.resume() }
  }

  /// Waits for the end of the work, or of patience: it returns early, and ends nothing, when the
  /// calling task is cancelled, and when `patience` is over.
  package func wait(_ patience: Patience? = nil) async {
    let id = withWaiters { waiters, _ in
      waiters.lastID += 1
      return waiters.lastID
    }
    patience?.onEnd { self.giveUp(id) }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = withWaiters { waiters, isFinished in
          if isFinished || waiters.cancelledEarly.remove(id) != nil { return true }
          waiters.continuations[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      giveUp(id)
    }
    patience?.onEnd(nil)
    withWaiters { waiters, _ in _ = waiters.cancelledEarly.remove(id) }
  }

  private func giveUp(_ id: UInt64) {
    let continuation = withWaiters { waiters, isFinished in
      if let continuation = waiters.continuations.removeValue(forKey: id) {
        return Optional(continuation)
      }
      if !isFinished { waiters.cancelledEarly.insert(id) }
      return nil
    }
    continuation?.resume()
  }

  private func withWaiters<Result: Sendable>(_ body: (inout Waiters, Bool) -> Result) -> Result {
    memory.withLock { memory in
      var waiters = memory.waiters ?? Waiters()
      memory.waiters = nil
      defer { memory.waiters = waiters }
      return body(&waiters, memory.isFinished)
    }
  }
}

extension Completion {
  /// What waits for what, in all stores: an effect of one may wait for a dispatch of another.
  ///
  /// A run notes here while it is locked itself, so nothing of a run is asked while this is locked.
  fileprivate static let waits = Lock(WaitGraph())

  /// Notes that a turn comes when this work ends, or other work of which the same was noted.
  package func precedes(_ turn: Completion) {
    Self.waits.withLock { $0.note(turn: turn, comesAfter: self) }
  }

  /// Takes back what ``precedes(_:)`` noted.
  package func precedesNoLonger(_ turn: Completion) {
    Self.waits.withLock { $0.forget(turn, waitsFor: self) }
  }

  /// Waits by `wait` until this work is over.
  ///
  /// An effect that waits here for work which cannot end before the effect does is told so, and does
  /// not wait; nor any longer, if that becomes so while it waits. The wait does not hold the effect's
  /// lineage, so an effect that ends meanwhile, because a task of its body waits and not the body,
  /// has ended.
  ///
  /// - Parameters:
  ///   - call: the public call that waits, to be named in the report.
  ///   - wait: does the waiting, for as long as that patience lasts.
  package func wait(for call: String, by wait: (Patience?) async -> Void) async {
    guard let effect = CurrentEffect.value, let line = effect.line else { return await wait(nil) }
    let patience = Patience()
    var isLetGo = !Self.waits.withLock { $0.begin(line, waitsFor: self, patience) }
    if !isLetGo {
      await wait(patience)
      Self.waits.withLock { $0.end(patience) }
      isLetGo = patience.isOver
    }
    if isLetGo { effect.store.report(.effectWaitsForItself(effect: effect.name, call: call)) }
  }
}

extension EffectSender {
  /// Notes that this run is not started before a turn comes.
  ///
  /// - Returns: the patience to end of those who would else wait for themselves now; not here, since
  ///   it lets tasks go on.
  package func waits(for turn: Completion) -> [Patience] {
    guard let line else { return [] }
    return Completion.waits.withLock { $0.note(line, waitsFor: turn) }
  }

  /// Takes back what ``waits(for:)`` noted.
  package func waitsNoLonger(for turn: Completion) {
    let ending = ending
    Completion.waits.withLock { $0.forget(ending, waitsFor: turn) }
  }
}
