/// What follows the actions of one store: an item that was given to ``Middleware``, at work.
///
/// This is the seam between the store, which knows when something happens, and the modules that
/// know what: plain items and effects both stand behind it.
@usableFromInline
package protocol Follower: AnyObject, Sendable {
  /// Returns how to follow actions of exactly `type`, or nil to stay out of their way.
  ///
  /// The store asks once for each type it meets, while it is locked.
  func handler(for type: any Action.Type) -> FollowUpHandler?

  /// Returns the same at work where nobody waits for it.
  func inBackground() -> any Follower

  /// Silences what works for the dispatch of this completion, or all there is, and returns what to
  /// do about it when the store is unlocked. Called in the critical section.
  func silence(workFor completion: Completion?) -> [@Sendable () -> Void]

  /// Ends whatever is still at work. The store is gone.
  func storeWillEnd()
}

/// Decides whether and how to follow one action: a pure function, called before the store is
/// locked.
@usableFromInline
package struct FollowUpHandler: Sendable {
  /// Whether it was made for the action's own type, and not for whatever comes.
  let isTyped: Bool
  @usableFromInline let prepare: @Sendable (any Action, DispatchIdentity) -> FollowUp?

  package init(
    isTyped: Bool = true,
    _ prepare: @escaping @Sendable (any Action, DispatchIdentity) -> FollowUp?
  ) {
    self.isTyped = isTyped
    self.prepare = prepare
  }
}

/// Something to do because of one action.
@usableFromInline
package struct FollowUp: Sendable {
  /// Whether to perform it in the context of its dispatch when another one does the follow-up.
  @usableFromInline let needsContext: Bool
  /// Called in the critical section that reduced the action.
  ///
  /// What is to be cancelled later must be known from here on. Of the user's code it calls only
  /// `==` and `hash(into:)` of keys.
  @usableFromInline let register: @Sendable (Lineage) -> Void
  /// Called once, after everything queued before it, when the store is not locked.
  @usableFromInline let perform: @Sendable (Lineage) -> Void

  /// Creates a follow-up that runs code of the user's, in the context of its dispatch.
  package init(_ perform: @escaping @Sendable (Lineage) -> Void) {
    needsContext = true
    register = { _ in }
    self.perform = perform
  }

  /// Creates a follow-up that has to be known from the commit on, and keeps its context itself.
  package init(
    register: @escaping @Sendable (Lineage) -> Void, perform: @escaping @Sendable (Lineage) -> Void
  ) {
    needsContext = false
    self.register = register
    self.perform = perform
  }
}

/// Who sent an action.
@usableFromInline
package struct Sender: Sendable {
  /// Said in the identity of the dispatch.
  @usableFromInline let cause: DispatchIdentity.Cause
  /// The dispatch that is not finished before this one is.
  @usableFromInline let lineage: Lineage?
  /// The effect that sends, whose cancellation silences it.
  @usableFromInline let effect: EffectRecord?
  /// How many dispatches led to what it sends.
  @usableFromInline let generation: UInt32

  /// A caller from outside: nobody waits, nobody can be cancelled.
  @usableFromInline package static var caller: Sender {
    Sender(cause: .caller, lineage: nil, effect: nil, generation: 0)
  }

  @usableFromInline
  init(
    cause: DispatchIdentity.Cause, lineage: Lineage?, effect: EffectRecord?, generation: UInt32
  ) {
    self.cause = cause
    self.generation = generation
    self.lineage = lineage
    self.effect = effect
  }

  /// A link or an item that handles a dispatch.
  package init(handling identity: DispatchIdentity, lineage: Lineage, effect: EffectRecord? = nil) {
    self.init(
      cause: .dispatch(identity.number), lineage: lineage, effect: effect,
      generation: identity.generation &+ 1)
  }

  /// A running effect.
  package init(effect: EffectRecord) {
    self.init(
      cause: .effect(effect.name, number: effect.number), lineage: effect.lineage, effect: effect,
      generation: effect.origin.generation &+ 1)
  }
}
