public import Store

extension Middleware {
  /// A link that tells of each dispatch that passes it, and changes nothing.
  ///
  /// ```swift
  /// .recording { dispatch in
  ///   if dispatch.duration > .milliseconds(16) { report(slow: dispatch) }
  /// }
  /// ```
  ///
  /// First in the array it sees actions as they were dispatched, last as they are reduced.
  ///
  /// - Parameters:
  ///   - clock: measures the durations.
  ///   - receive: told of each dispatch when the rest of the chain has returned, on the thread that
  ///     dispatches; several threads may be in it at once. No lock is held, and it may dispatch,
  ///     but what it dispatches passes this link too.
  /// - Returns: the link.
  public static func recording(
    clock: any Clock<Duration> = ContinuousClock(),
    _ receive: @escaping @Sendable (RecordedDispatch) -> Void
  ) -> Middleware {
    Middleware { action, context, next in
      let record = RecordedDispatch(action, context.identity, clock: clock) { next(action) }
      receive(record)
      return record.result
    }
  }
}

extension RecordedDispatch {
  /// Passes an action on and measures that.
  init(
    _ action: any Action, _ identity: DispatchIdentity, clock: any Clock<Duration>,
    pass: () -> DispatchResult
  ) {
    var result = DispatchResult.swallowed
    let duration = clock.measure { result = pass() }
    self.init(identity: identity, action: action, result: result, duration: duration)
  }
}
