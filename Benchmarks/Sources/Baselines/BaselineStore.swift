/// A store in the shape Swift has known since 2015, to measure ours against.
///
/// Written for this benchmark after the design of ReSwift, with each of the properties that decide
/// what a dispatch costs there: a class that may be overridden, actions as existentials, a reducer
/// that takes the state and returns another, links as closures over closures, a flag against
/// overlapping reducers behind a concurrent queue, subscribers in a set, held weakly, each with
/// a closure chain for its selection, and delivery by recursion from the setter of the state.
///
/// Not safe to use from two threads, like its model.
open class BaselineStore<State> {
  /// The state after the last action; setting it tells the subscribers.
  public private(set) var state: State? {
    didSet { deliver(from: oldValue) }
  }

  /// All links around ``reduce(_:)``; made when first used, and may be replaced, as in tests.
  public lazy var chain: BaselineDispatch = makeChain()

  private let reducer: BaselineReducer<State>
  private let middleware: [BaselineMiddleware<State>]
  private var subscriptions: Set<BaselineSubscriptionBox<State>> = []
  private let isReducing = BaselineGuarded(false)

  /// Creates a store that is in a state already, so no first action is sent.
  public required init(
    reducer: @escaping BaselineReducer<State>, state: State,
    middleware: [BaselineMiddleware<State>] = []
  ) {
    self.reducer = reducer
    self.middleware = middleware
    self.state = state
  }

  /// Sends an action through the links to the reducer and delivers what changed, all at once.
  open func dispatch(_ action: any BaselineAction) {
    chain(action)
  }

  /// Hands an action that passed all links to the reducer.
  open func reduce(_ action: any BaselineAction) {
    guard !isReducing.value else {
      preconditionFailure("a reducer dispatched, or two threads did at once")
    }
    isReducing.mutate { $0 = true }
    let next = reducer(action, state)
    isReducing.mutate { $0 = false }
    state = next
  }

  /// Adds a subscriber, or replaces its rule, and delivers the state to it.
  ///
  /// `transform` turns the subscription to the whole state into one to a part of it.
  open func subscribe<Selected, Subscriber: BaselineSubscriber>(
    _ subscriber: Subscriber,
    transform: (BaselineSubscription<State>) -> BaselineSubscription<Selected>
  ) where Subscriber.Selected == Selected {
    let original = BaselineSubscription<State>()
    let box = BaselineSubscriptionBox(
      original: original, transformed: transform(original), subscriber: subscriber)
    subscriptions.update(with: box)
    if let state {
      box.deliver(from: nil, to: state)
    }
  }

  /// Removes a subscriber, wherever it stands.
  open func unsubscribe(_ subscriber: any BaselineAnySubscriber) {
    if let index = subscriptions.firstIndex(where: { $0.subscriber === subscriber }) {
      subscriptions.remove(at: index)
    }
  }

  private func makeChain() -> BaselineDispatch {
    let base: BaselineDispatch = { [unowned self] action in reduce(action) }
    return middleware.reversed().reduce(base) { next, link in
      link({ [weak self] in self?.dispatch($0) }, { [weak self] in self?.state })(next)
    }
  }

  private func deliver(from old: State?) {
    for box in subscriptions {
      if box.subscriber == nil {
        subscriptions.remove(box)
      } else if let state {
        box.deliver(from: old, to: state)
      }
    }
  }
}

// Like its model, it belongs to one thread at a time.
@available(*, unavailable)
extension BaselineStore: Sendable {}
