/// A function that is shown every action and may dispatch others.
public typealias BaselineItem = (any BaselineAction, @escaping BaselineDispatch) -> Void

/// Makes one link of many items, each called with every action, before the reducer.
public func baselineMiddleware<State>(items: [BaselineItem]) -> BaselineMiddleware<State> {
  { dispatch, _ in
    { next in
      { action in
        for item in items {
          item(action, dispatch)
        }
        next(action)
      }
    }
  }
}
