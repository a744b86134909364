/// What a ``BaselineStore`` is told.
public protocol BaselineAction {}

/// Computes the state after an action, from nothing if there is none yet.
public typealias BaselineReducer<State> = (any BaselineAction, State?) -> State

/// Sends an action on its way.
public typealias BaselineDispatch = (any BaselineAction) -> Void

/// A link of the chain: from the store's dispatch and state to a decorator of the next link.
public typealias BaselineMiddleware<State> = (
  _ dispatch: @escaping BaselineDispatch, _ state: @escaping () -> State?
) -> (_ next: @escaping BaselineDispatch) -> BaselineDispatch
