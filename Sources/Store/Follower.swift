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

  /// Silences what works for a dispatch, or all there is; called in the critical section.
  ///
  /// - Parameters:
  ///   - completion: that of the dispatch; nil for all there is.
  ///   - starts: where to append what waited for the end of it, to be done in follow-up.
  /// - Returns: what to do about it when the store is unlocked.
  func silence(
    workFor completion: Completion?, starting starts: inout [any FollowUp]
  ) -> [@Sendable () -> Void]

  /// Ends whatever is still at work. The store is gone.
  func storeWillEnd()
}

/// Decides whether and how to follow one action: a pure function, called before the store is
/// locked.
@usableFromInline
package struct FollowUpHandler: Sendable {
  /// Whether it was made for the action's own type, and not for whatever comes.
  let isTyped: Bool
  @usableFromInline let prepare: @Sendable (any Action, DispatchIdentity) -> (any FollowUp)?

  package init(
    isTyped: Bool = true,
    _ prepare: @escaping @Sendable (any Action, DispatchIdentity) -> (any FollowUp)?
  ) {
    self.isTyped = isTyped
    self.prepare = prepare
  }
}

/// Something to do because of one action.
@usableFromInline
package protocol FollowUp: AnyObject, Sendable {
  /// Called in the critical section that reduced the action; answers whether to ``perform()`` it.
  ///
  /// What is to be cancelled later must be known from here on. Of the user's code it calls only
  /// `==` and `hash(into:)` of keys.
  func register(_ registration: Registration) -> Bool

  /// Called after everything queued before it, when the store is not locked.
  func perform()
}

/// What follows one action: most often nothing, or one thing, for which no array is made.
@usableFromInline
struct FollowUps: Sendable {
  @usableFromInline var first: (any FollowUp)?
  @usableFromInline var others: [any FollowUp] = []

  @inlinable
  init() {}

  @inlinable
  init(of action: any Action, _ identity: DispatchIdentity, by handlers: [FollowUpHandler]) {
    for handler in handlers {
      guard let followUp = handler.prepare(action, identity) else { continue }
      if first == nil { first = followUp } else { others.append(followUp) }
    }
  }
}

/// A follow-up that runs code of the user's, in the context of its dispatch.
package final class FollowUpCall: FollowUp {
  private enum Progress {
    case isNew
    /// Called by the thread of the dispatch, where its context is.
    case isCalledHere(Lineage)
    /// A task has the context of who makes it.
    case isHeld(HeldTask)
  }

  private let call: @Sendable (Lineage) -> Void
  private let progress = Lock(Progress.isNew)

  package init(_ call: @escaping @Sendable (Lineage) -> Void) { self.call = call }

  package func register(_ registration: Registration) -> Bool {
    let lineage = registration.lineage
    let next: Progress =
      registration.isFollowedUpHere
      ? .isCalledHere(lineage)
      : .isHeld(
        HeldTask { [call] held in
          // That an effect sent the action is not meant by its context.
          Task(executorPreference: held) { CurrentEffect.without { call(lineage) } }
        })
    progress.withLock { $0 = next }
    return true
  }

  package func perform() {
    switch progress.withLock(\.self) {
    case .isNew: break
    case .isCalledHere(let lineage): call(lineage)
    case .isHeld(let task): task.open()
    }
  }
}

/// What a follow-up is told when it is registered.
@usableFromInline
package struct Registration: Sendable {
  /// The dispatch it works for.
  package let lineage: Lineage
  /// Whether the thread of the dispatch does the follow-up, in the context of the dispatch.
  package let isFollowedUpHere: Bool

  @usableFromInline
  package init(lineage: Lineage, isFollowedUpHere: Bool) {
    self.lineage = lineage
    self.isFollowedUpHere = isFollowedUpHere
  }
}

/// Who sent an action.
@usableFromInline
package struct Sender: Sendable {
  /// Said in the identity of the dispatch.
  @usableFromInline let cause: DispatchIdentity.Cause
  /// The dispatch that is being handled, if a link or an item sends.
  let handled: Lineage?
  /// The effect that sends, whose cancellation silences it.
  @usableFromInline let effect: (any EffectSender)?
  /// How many dispatches led to what it sends.
  @usableFromInline let generation: UInt32

  /// The dispatch that is not finished before this one is.
  @usableFromInline var lineage: Lineage? { handled ?? effect?.lineage }

  /// A caller from outside: nobody waits, nobody can be cancelled.
  @usableFromInline package static var caller: Sender {
    Sender(cause: .caller, handled: nil, effect: nil, generation: 0)
  }

  @usableFromInline
  init(
    cause: DispatchIdentity.Cause, handled: Lineage?, effect: (any EffectSender)?,
    generation: UInt32
  ) {
    self.cause = cause
    self.generation = generation
    self.handled = handled
    self.effect = effect
  }

  /// A link or an item that handles a dispatch.
  package init(
    handling identity: DispatchIdentity, lineage: Lineage, effect: (any EffectSender)? = nil
  ) {
    self.init(
      cause: .dispatch(identity.number), handled: lineage, effect: effect,
      generation: identity.generation &+ 1)
  }

  /// A running effect.
  package init(effect: any EffectSender) {
    self.init(
      cause: .effect(effect.name, number: effect.number), handled: nil, effect: effect,
      generation: effect.origin.generation &+ 1)
  }
}
