public import Synchronization

/// Holds the state, changes it by actions, and tells who wants to know.
///
/// ```swift
/// let store = Store(
///   initialState: CounterState(), reducer: counterReducer,
///   middleware: [createMiddleware(items: [loadCount(service: service)])])
///
/// let subscription = store.subscribe(\.count) { print($0) }
/// store.dispatch(Counter.increment)
/// ```
///
/// Any thread, task or actor may dispatch, without `await`. Each action goes through two phases:
///
/// 1. **Commit**, at once and one action at a time: the action travels the links of the chain, the
///    reducer changes the state in place, the selections that observers asked for are computed,
///    and the effects that handle the action are registered. When ``dispatch(_:fileID:line:)``
///    returns, the state contains the action and every effect of it can already be cancelled.
/// 2. **Follow-up**, first in, first out over the whole store, never while it is locked: observers
///    are told, then items and effects start. One thread at a time does this; what another thread
///    dispatches meanwhile is committed at once and followed up by the one that is at it.
///
/// An action that is dispatched during follow-up is committed at once and its follow-up queued, so
/// there is no recursion: a chain of a million actions uses as much stack as one, and no observer
/// sees an older value after a newer one.
///
/// Dropping the last reference frees the store with all it holds and cancels its effects. A
/// dispatch that is on the stack of some thread keeps the store until it returns.
public final class Store<State: Sendable>: Sendable {
  @usableFromInline let machine: Lock<StoreStateMachine<State>>
  @usableFromInline let chain: LinkChain<State>
  @usableFromInline let diagnostics: @Sendable (Diagnostic) -> Void
  let objects = Lock(SubscribedObjects())
  @usableFromInline package let effects = EffectCount()
  /// The thread that is in the critical section running code of the user's, and for which action.
  @usableFromInline let reduction = ReductionMark()
  /// Whether that thread is telling the diagnostics handler so.
  let isReportingCall = Atomic<Bool>(false)
  /// The thread that takes work from the queue.
  @usableFromInline let drainingThread = ThreadMark()
  /// The generation of the work it is doing.
  @usableFromInline let drainedGeneration = Atomic<UInt32>(0)
  /// How much of the work it has taken is still to be done.
  @usableFromInline let workInHand = Atomic<Int>(0)
  let loopWatch = Lock(LoopWatch())
  /// Whether a loop was not reported yet.
  @usableFromInline let watchesLoops = Atomic<Bool>(true)
  /// Observers that a reducer cancelled, to be removed when it has returned.
  let abandonedObservers = Lock<[UInt64]>([])
  @usableFromInline let hasAbandonedObservers = Atomic<Bool>(false)

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - initialState: the state before the first action.
  ///   - reducer: changes the state.
  ///   - middleware: links of the chain, outermost first, and items that follow the reducer, in the
  ///     order in which they start.
  ///   - clock: measures and waits for the effects: delays, time limits, ages. It may be asked while
  ///     the store is locked, so it must not call the store.
  ///   - executor: where effects go on after their first suspension; the global one if nil. It may be
  ///     given jobs while the store is locked, so taking them must not call the store.
  ///   - diagnostics: told of what the store refused or dropped, on the thread where it happened.
  ///     It may call the store, except when it is told of a call from a reducer: the store is
  ///     locked then, and ignores it. By default a programming error stops a debug build.
  @inlinable
  public convenience init(
    initialState: State, reducer: Reducer<State>, middleware: [Middleware<State>] = [],
    clock: some Clock<Duration> = TimerClock(), executor: (any TaskExecutor)? = nil,
    diagnostics: @escaping @Sendable (Diagnostic) -> Void = Diagnostic.standardHandler
  ) {
    self.init(
      BoxedValue(initialState), reducer: reducer, middleware: middleware, clock: clock,
      executor: executor, diagnostics: diagnostics)
  }

  /// Creates a store whose state is in a box until it is where it stays.
  @inlinable
  package init(
    _ initialState: BoxedValue<State>, reducer: Reducer<State>, middleware: [Middleware<State>],
    clock: some Clock<Duration> = TimerClock(), executor: (any TaskExecutor)? = nil,
    diagnostics: @escaping @Sendable (Diagnostic) -> Void
  ) {
    machine = Lock(
      StoreStateMachine(state: initialState, reducer: reducer, effects: effects))
    chain = LinkChain(middleware.compactMap { $0.linkMaker?.make() })
    self.diagnostics = diagnostics
    let reference = StoreReference(
      self, effects: effects, time: StoreTime(clock), executor: executor)
    let followers = middleware.flatMap { $0.followers(reference) }
    machine.withLock { machine in
      machine.reference = reference
      machine.followers = followers
    }
  }

  deinit {
    let followers = machine.withLock { $0.followers }
    for follower in followers { follower.storeWillEnd() }
  }

  /// The state as it is now.
  ///
  /// A collection that you keep from it costs the next action that changes it a copy. Reading it in
  /// a reducer, a selector, an `==` or a `deinit` that one of those causes stops the program, also
  /// in a release build: there is no state to give, because it is being changed.
  public var state: State {
    guard let state = currentState() else {
      preconditionFailure(
        "\(callDuringReduction("state")) Here that cannot be done: there is no state to return.")
    }
    return state
  }

  /// Sends an action on its way: through the chain, the reducer, to observers and effects.
  ///
  /// When this returns, the state contains the action, unless a link kept it, and its effects are
  /// registered. Observers have been told and effects started too, unless this call was made from a
  /// link or from follow-up work, or while another thread does that: then they come in their turn.
  ///
  /// - Returns: a handle to wait for the effects of the action.
  @inlinable @discardableResult
  public func dispatch(
    _ action: any Action, fileID: StaticString = #fileID, line: UInt = #line
  ) -> DispatchHandle {
    send(action, source: SourceLine(fileID: fileID, line: line), sender: .caller)
  }
}
