/// Async work of an effect that may wait for other work: a run, or a call that runs share.
@usableFromInline
package protocol EffectWork: AnyObject, Sendable {
  /// The store it belongs to.
  var store: any StoreReferencing { get }
  /// The name of the effect.
  var name: EffectName { get }
  /// What cannot be over before this has ended: the first stands for its own end, and each of the
  /// others cannot be over before the one before it is; nil if it has ended.
  var line: [Completion]? { get }
}

/// One run of an effect as the store knows it: who it is, where it came from, whether it may still
/// speak.
@usableFromInline
package protocol EffectSender: EffectWork {
  /// The number of this run, counted from 1 in each store; no two runs share one.
  var number: UInt64 { get }
  /// The dispatch whose action started this run.
  var origin: DispatchIdentity { get }
  /// Whether nothing more of it may be reduced: set once, while the store is locked, and read there
  /// before each reduction of an action it sent.
  var isCancelled: Bool { get }
  /// Stands for the end of this run where it is noted who waits for what; never finished.
  var ending: Completion { get }
  /// The dispatch it works for, until it ends.
  var lineage: Lineage? { get }
}

extension EffectSender {
  /// Its own end, the dispatches it works for, its store.
  @usableFromInline
  package var line: [Completion]? {
    lineage.map { [ending] + $0.completionsAhead + [store.rest] }
  }
}

/// The effect whose task is running.
@usableFromInline
package enum CurrentEffect: Sendable {
  /// What the task that asks does for an effect, if it does anything for one.
  @usableFromInline package static var value: (any EffectWork)? { local.get() }

  @usableFromInline package static let local = TaskLocal<(any EffectWork)?>(wrappedValue: nil)

  /// Runs follow-up work, which is nobody's in particular.
  ///
  /// When an effect dispatches, its thread may do the follow-up of others. A task that an observer
  /// makes there must not be taken for the effect when it waits for the store.
  @usableFromInline package static func without<Result>(_ body: () -> Result) -> Result {
    guard value != nil else { return body() }
    return local.withValue(nil, operation: body)
  }
}
