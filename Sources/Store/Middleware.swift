/// Something that stands between `dispatch` and the reducer, or that follows the reducer.
///
/// A *link* is a step of the chain that every action travels. It may pass the action on, replace
/// it, swallow it, delay it, or send several:
///
/// ```swift
/// let offlineGuard = Middleware<AppState> { action, context, next in
///   if action is any NetworkRequest, context.state?.isOffline == true {
///     return next(RequestRefused())
///   }
///   return next(action)
/// }
/// ```
///
/// Links run on the thread that dispatches, outermost first: of `[a, b]`, `a` sees an action before
/// `b`, and what `b` returned after it.
///
/// *Items*, made with `createMiddleware(items:)`, have no place in the chain: they follow every
/// action of their type that reached the reducer.
public struct Middleware<State: Sendable>: Sendable {
  /// One step of the chain.
  public typealias Link =
    @Sendable (_ action: any Action, _ context: LinkContext<State>, _ next: Next<State>) ->
    DispatchResult

  /// A link at work in one store.
  @usableFromInline struct Step: Sendable {
    @usableFromInline let run: Link

    @inlinable
    init(run: @escaping Link) { self.run = run }
  }

  /// How to make the link for a store.
  ///
  /// A structure, as ``Step`` is: a bare closure in an optional would put a thunk into each call.
  @usableFromInline struct LinkMaker: Sendable {
    @usableFromInline let make: @Sendable () -> Step

    @inlinable
    init(make: @escaping @Sendable () -> Step) { self.make = make }
  }

  @usableFromInline let linkMaker: LinkMaker?
  @usableFromInline let followers: @Sendable (StoreReference<State>) -> [any Follower]

  /// Creates a link of the chain.
  ///
  /// - Parameter link: called with each action; returns what the rest of the chain did with it,
  ///   which is what `next` returns, or ``DispatchResult/swallowed``.
  @inlinable
  public init(_ link: @escaping Link) {
    self.init(forEachStore: { link })
  }

  /// Creates a link that is made anew for each store, because it remembers something of its store.
  @inlinable
  public init(forEachStore makeLink: @escaping @Sendable () -> Link) {
    linkMaker = LinkMaker { Step(run: makeLink()) }
    followers = { _ in [] }
  }

  /// Creates what follows the reducer, anew for each store.
  package init(followers: @escaping @Sendable (StoreReference<State>) -> [any Follower]) {
    linkMaker = nil
    self.followers = followers
  }
}

/// What became of an action that was passed down the chain.
public enum DispatchResult: Sendable, Hashable {
  /// It has not reached the reducer: a link kept it, the effect that sent it was cancelled, or the
  /// store is shut down or gone.
  case swallowed
  /// It was reduced, as the commit of this number, counted from 1 in each store.
  case reduced(commit: UInt64)
}

/// What a link knows and can do besides passing the action on.
public struct LinkContext<State: Sendable>: Sendable {
  @usableFromInline let frame: ChainFrame<State>

  @inlinable
  init(frame: ChainFrame<State>) { self.frame = frame }

  /// Which dispatch this is, what caused it, and the line it was made in.
  public var identity: DispatchIdentity { frame.identity }

  /// The state as it is now, or nil once the store is gone.
  ///
  /// Another thread may change it at any time. For the state that one action made, ask
  /// ``Next/callAsFunction(_:reading:)``.
  public var state: State? { frame.reference.store?.currentState() }

  /// Sends another action through the whole chain.
  ///
  /// It is reduced before this call returns, and before the action being handled if that has not
  /// been passed on yet. Observers and effects of both come when the chain has returned. Does
  /// nothing once the store is gone.
  ///
  /// The action comes to the calling link as well, within this call: a link that answers each
  /// action with another one recurses without end. Answers belong into an item or an effect, which
  /// are called one after the other.
  @discardableResult
  public func dispatch(
    _ action: any Action, fileID: StaticString = #fileID, line: UInt = #line
  ) -> DispatchHandle {
    let sender = Sender(
      handling: frame.identity, lineage: frame.currentLineage(), effect: frame.effect)
    return frame.reference.send(action, SourceLine(fileID: fileID, line: line), sender)
  }
}

/// The rest of the chain, as a link sees it.
///
/// It may be called never, once, or often, at once or an hour later, on any thread; once the store
/// is gone it does nothing and returns ``DispatchResult/swallowed``.
public struct Next<State: Sendable>: Sendable {
  @usableFromInline let frame: ChainFrame<State>
  @usableFromInline let index: Int
  @usableFromInline let readers: StateReaders<State>?

  @inlinable
  init(frame: ChainFrame<State>, index: Int, readers: StateReaders<State>?) {
    self.frame = frame
    self.index = index
    self.readers = readers
  }

  /// Passes an action on, this one or another, and returns what became of it.
  ///
  /// No observer of that commit is called on this thread before the whole chain has returned.
  @inlinable @discardableResult
  public func callAsFunction(_ action: any Action) -> DispatchResult {
    guard frame.isCurrent else { return passLater(action) }
    return frame.advance(action, to: index, readers: readers)
  }

  /// Passes an action on after the chain has returned, or on another thread.
  ///
  /// By itself, so that the usual way does not keep the frame for it.
  @usableFromInline
  func passLater(_ action: any Action) -> DispatchResult {
    Next(frame: frame, index: index, readers: nil).pass(action)
  }

  /// Passes an action on and reads what it made of the state, whatever other threads do meanwhile.
  ///
  /// - Parameters:
  ///   - action: the action to pass on.
  ///   - selector: called in the critical section of the action's commit; it must be pure.
  /// - Returns: what became of the action, and the selected value, which is nil if the action was
  ///   swallowed or delayed.
  public func callAsFunction<Value: Sendable>(
    _ action: any Action, reading selector: @escaping @Sendable (State) -> Value
  ) -> (result: DispatchResult, value: Value?) {
    let selections = Selections<Value>()
    // Those who read what this chain makes of the state do not wait for what is passed on later.
    let readers = StateReaders<State>(outer: frame.isCurrent ? readers : nil) { commit, state in
      let value = selector(state)
      selections.values.withLock { $0.append((commit, value)) }
    }
    let result = Next(frame: frame, index: index, readers: readers).pass(action)
    let read = selections.values.withLock { $0 }
    return (result, read.last { .reduced(commit: $0.commit) == result }?.value)
  }
}

extension Next {
  /// The same rest of the chain for code that was not told which action it is called for.
  package var detached: Next { Next(frame: frame.detached(), index: index, readers: nil) }
}

/// What a selector read of each commit: a later link that passes on several actions makes several,
/// and any of them may be the one that it returns.
private final class Selections<Value: Sendable>: Sendable {
  let values = Lock<[(commit: UInt64, value: Value)]>([])
}
