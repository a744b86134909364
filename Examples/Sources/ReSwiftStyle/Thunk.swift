import Middleware
import Store

/// An action that is a piece of work: it may dispatch, at once or later, and read the state.
struct Thunk: Action {
  var body:
    @Sendable (
      _ dispatch: Middleware<TodosState>.ReSwiftDispatch, _ getState: () -> TodosState?
    ) -> Void
}

/// Middleware as ReSwift has it, which runs thunks and passes everything else on.
let thunks: Middleware<TodosState>.ReSwiftMiddleware = { dispatch, getState in
  { next in
    { action in
      guard let thunk = action as? Thunk else { return next(action) }
      thunk.body(dispatch, getState)
    }
  }
}

/// Marks the first todo that is left.
let finishNext = Thunk { dispatch, getState in
  guard let index = getState()?.todos.firstIndex(where: { !$0.isDone }) else { return }
  dispatch(TodoAction.done(index))
}
