public import Store

extension Middleware {
  /// A link that passes on only those actions that a predicate accepts.
  ///
  /// ```swift
  /// .filter { !($0 is PointerMoved) }
  /// ```
  ///
  /// A refused action goes no further: no later link, reducer, item or effect sees it, and its
  /// dispatch ends as `DispatchResult.swallowed`. To decide by the state, write a link.
  ///
  /// - Parameter isIncluded: called once for each action, on the thread that dispatches it; answers
  ///   whether to pass the action on.
  /// - Returns: the link.
  public static func filter(
    _ isIncluded: @escaping @Sendable (_ action: any Action) -> Bool
  ) -> Middleware {
    Middleware { action, _, next in isIncluded(action) ? next(action) : .swallowed }
  }
}
