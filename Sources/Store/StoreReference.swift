/// Sends an action for somebody; once the store is gone, does nothing.
@usableFromInline
package typealias Sending = @Sendable (any Action, SourceLine, Sender) -> DispatchHandle

/// A way back to a store that does not keep it alive, whatever the type of its state.
@usableFromInline
package protocol StoreReferencing: AnyObject, Sendable {
  /// Sends an action; once the store is gone that does nothing.
  ///
  /// A closure, made where the type of the state is known, so that effects dispatch through code
  /// specialised for it: through a protocol witness a round trip takes twice as long.
  var send: Sending { get }

  /// Stands for the store's being idle where it is noted who waits for what; never finished.
  var rest: Completion { get }

  /// The clock of its effects.
  var time: StoreTime { get }

  /// Where its effects run; the global executor if nil.
  var executor: (any TaskExecutor)? { get }

  /// The effects that are registered and have not ended.
  var effects: EffectCount { get }

  /// Lets those go on who wait until nothing is left to do, if that is so.
  func checkRest()

  /// Queues what `choose` answers, in the order in which it is chosen, and does what is queued if
  /// nobody does; once the store is gone, just does it.
  ///
  /// - Parameters:
  ///   - call: the public call this is for, to be diagnosed if a reducer made it.
  ///   - choose: called in the critical section; compares keys, whose `==` and `hash(into:)` are code
  ///     of the user's.
  func followUp(for call: String?, choosing choose: @Sendable () -> [any FollowUp])

  /// Waits in the store for the next action of `type` that matches, until ``stopTaking(id:)``; see
  /// the reference of a store for more.
  func take(
    id: UInt64, _ type: any Action.Type, where matches: @escaping @Sendable (any Action) -> Bool,
    deliver: @escaping @Sendable (any Action) -> Void
  ) -> Bool

  /// Returns a number that nobody else waits by.
  func nextTaker() -> UInt64

  /// Runs `body` with what follows the actions of the store, while no action is reduced; nil for a
  /// call from a reducer, which is diagnosed, and once the store is gone.
  func withFollowers<Result: Sendable>(
    for call: String, _ body: @Sendable ([any Follower]) -> Result
  ) -> Result?

  /// Does not wait any more; answers whether it did.
  @discardableResult
  func stopTaking(id: UInt64) -> Bool

  /// Queues work, and does what is queued if nobody does; once the store is gone, just does it.
  func followUp(_ work: @escaping @Sendable () -> Void)

  /// Whether a reducer, or an item for just that type, handles actions of exactly `type`.
  func handles(_ type: any Action.Type) -> Bool

  /// Waits until all follow-up work queued so far is done.
  func finishFollowUp() async

  /// Cancels the effects that work for the dispatch of this completion.
  func cancelEffects(workingFor completion: Completion)

  /// Takes an observer out of the store.
  func removeObserver(_ id: UInt64)

  /// Tells the store's diagnostics handler; once the store is gone, nobody.
  func report(_ diagnostic: Diagnostic)
}

/// The reference of one store.
@usableFromInline
package final class StoreReference<State: Sendable>: StoreReferencing {
  @usableFromInline weak let store: Store<State>?
  @usableFromInline package let send: Sending

  @usableFromInline package let rest = Completion()
  @usableFromInline package let effects: EffectCount
  @usableFromInline package let time: StoreTime
  @usableFromInline package let executor: (any TaskExecutor)?

  @inlinable
  init(
    _ store: Store<State>, effects: EffectCount, time: StoreTime, executor: (any TaskExecutor)?
  ) {
    self.store = store
    self.effects = effects
    self.time = time
    self.executor = executor
    // Captured as a constant, it is read without asking whether anybody writes it.
    weak let weakStore = store
    send = { action, source, sender in
      weakStore?.send(action, source: source, sender: sender) ?? .finished
    }
  }

  @usableFromInline package func checkRest() { store?.checkRest() }
  @usableFromInline package func followUp(
    for call: String?, choosing choose: @Sendable () -> [any FollowUp]
  ) {
    guard let store else { return choose().forEach { $0.perform() } }
    store.followUp(for: call, choosing: choose)
  }

  @usableFromInline package func take(
    id: UInt64, _ type: any Action.Type, where matches: @escaping @Sendable (any Action) -> Bool,
    deliver: @escaping @Sendable (any Action) -> Void
  ) -> Bool {
    take(id: id, type, where: { action, _ in matches(action) }, deliver: deliver)
  }

  @usableFromInline package func nextTaker() -> UInt64 { effects.nextTaker() }

  @usableFromInline package func withFollowers<Result: Sendable>(
    for call: String, _ body: @Sendable ([any Follower]) -> Result
  ) -> Result? {
    store?.withFollowers(for: call, body)
  }

  @usableFromInline package func stopTaking(id: UInt64) -> Bool {
    let taker = store?.machine.withLock { $0.takers.remove(id: id) }
    // What it captured is released here, where the store is not locked.
    return taker.flatMap(\.self) != nil
  }

  @usableFromInline package func followUp(_ work: @escaping @Sendable () -> Void) {
    guard let store else { return work() }
    store.followUp(work)
  }

  @usableFromInline package func handles(_ type: any Action.Type) -> Bool {
    store?.handles(type) ?? false
  }
  @usableFromInline package func finishFollowUp() async { await store?.finishFollowUp() }
  @usableFromInline package func cancelEffects(workingFor completion: Completion) {
    store?.cancelEffects(workingFor: completion)
  }
  @usableFromInline package func removeObserver(_ id: UInt64) { store?.removeObserver(id) }
  @usableFromInline package func report(_ diagnostic: Diagnostic) {
    guard let store else { return }
    store.diagnostics(diagnostic)
  }

  /// Reads a part of the state in the store's critical section; nil once the store is gone.
  package func read<Value>(_ selector: @Sendable (State) -> Value) -> Value? {
    store?.read(selector)
  }
}
