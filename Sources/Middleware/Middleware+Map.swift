public import Store

extension Middleware {
  /// A link that replaces actions by others.
  ///
  /// ```swift
  /// .map { action in (action as? OldLogin).map(Login.init) ?? action }
  /// ```
  ///
  /// What follows sees the replacement only, under the identity of the dispatch that brought the
  /// original.
  ///
  /// - Parameter transform: called once for each action, on the thread that dispatches it; returns
  ///   the action to pass on, which is the same one to leave it alone.
  /// - Returns: the link.
  public static func map(
    _ transform: @escaping @Sendable (_ action: any Action) -> any Action
  ) -> Middleware {
    Middleware { action, _, next in next(transform(action)) }
  }
}
