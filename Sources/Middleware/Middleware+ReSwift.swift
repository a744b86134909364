public import Store

extension Middleware {
  /// A function that takes an action, as ReSwift has it.
  public typealias ReSwiftDispatch = @Sendable (any Action) -> Void

  /// Middleware as ReSwift has it: of dispatch and `getState`, then of `next`, then of the action.
  public typealias ReSwiftMiddleware =
    @Sendable (
      _ dispatch: @escaping ReSwiftDispatch, _ getState: @escaping @Sendable () -> State?
    ) -> @Sendable (_ next: @escaping ReSwiftDispatch) -> ReSwiftDispatch

  /// Wraps middleware of ReSwift's shape as a link of the chain.
  ///
  /// The two outer functions are called once for each store, when it is made, so what they remember
  /// belongs to one store; before the first action `getState` answers nil. All three functions that
  /// the middleware is given may be kept and called later, and do nothing once the store is gone.
  /// An action that is kept until the effect that sent it was cancelled is delivered all the same:
  /// the shape does not say whose action it is.
  public init(wrapping middleware: @escaping ReSwiftMiddleware) {
    self.init(forEachStore: {
      let calls = ReSwiftCalls<State>()
      let handle = middleware({ calls.dispatch($0) }, { calls.state })({ calls.next($0) })
      return { action, context, next in
        calls.run(context: context, next: next) { handle(action) }
      }
    })
  }
}

/// Finds, for functions that take nothing but an action, the dispatch in which they are called.
private final class ReSwiftCalls<State: Sendable>: Sendable {
  private struct Call {
    var thread: ThreadIdentity
    var context: LinkContext<State>
    var next: Next<State>
    var result = DispatchResult.swallowed
  }

  /// The calls that have not returned, of all threads, innermost last.
  private let calls = Lock<[Call]>([])
  /// The latest call, for functions that were kept beyond theirs.
  private let latest = Lock<Call?>(nil)

  func run(context: LinkContext<State>, next: Next<State>, _ body: () -> Void) -> DispatchResult {
    let call = Call(thread: .current, context: context, next: next)
    calls.withLock { $0.append(call) }
    latest.withLock { $0 = call }
    body()
    return calls.withLock { calls in
      guard let index = calls.lastIndex(where: { $0.thread == .current }) else { return .swallowed }
      return calls.remove(at: index).result
    }
  }

  func dispatch(_ action: any Action) { current?.context.dispatch(action) }

  var state: State? { current?.context.state }

  func next(_ action: any Action) {
    guard let call = ownCall else {
      latest.withLock { $0 }?.next.detached(action)
      return
    }
    let result = call.next(action)
    calls.withLock { calls in
      guard let index = calls.lastIndex(where: { $0.thread == .current }) else { return }
      calls[index].result = result
    }
  }

  private var current: Call? { ownCall ?? latest.withLock { $0 } }

  /// The innermost call of this thread, unless that has returned.
  private var ownCall: Call? { calls.withLock { $0.last { $0.thread == .current } } }
}
