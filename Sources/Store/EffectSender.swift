/// One run of an effect as the store knows it: who it is, where it came from, whether it may still
/// speak.
@usableFromInline
package protocol EffectSender: AnyObject, Sendable {
  /// The store it belongs to.
  var store: any StoreReferencing { get }
  /// The name of the effect.
  var name: EffectName { get }
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

/// The effect whose task is running.
@usableFromInline
package enum CurrentEffect: Sendable {
  /// The effect of the task that asks, if it is one.
  @usableFromInline package static var value: (any EffectSender)? { local.get() }

  @usableFromInline package static let local = TaskLocal<(any EffectSender)?>(wrappedValue: nil)

  /// Runs follow-up work, which is nobody's in particular.
  ///
  /// When an effect dispatches, its thread may do the follow-up of others. A task that an observer
  /// makes there must not be taken for the effect when it waits for the store.
  @usableFromInline package static func without<Result>(_ body: () -> Result) -> Result {
    guard value != nil else { return body() }
    return local.withValue(nil, operation: body)
  }
}
