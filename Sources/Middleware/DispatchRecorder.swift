import Store

/// A list of dispatches that any thread may read while a store fills it.
///
/// ```swift
/// let recorder = DispatchRecorder()
/// let store = Store(
///   initialState: AppState(), reducer: appReducer, middleware: [.recording(recorder.record)])
///
/// store.dispatch(Counter.increment)
/// print(recorder.dispatches.map(\.action))
/// ```
///
/// It keeps everything, so it suits a test or a session that is looked into. A program that runs
/// for long gives `Middleware.recording(_:)` a closure that keeps what it needs.
public final class DispatchRecorder: Sendable {
  private let recorded = Lock<[RecordedDispatch]>([])

  /// Creates an empty list.
  public init() {}

  /// What was recorded so far, in the order in which the dispatches left the chain.
  ///
  /// A dispatch that a link made while it handled another stands before that one. Those of several
  /// threads stand as they came; to order them by commit ask for their ``RecordedDispatch/result``.
  public var dispatches: [RecordedDispatch] { recorded.withLock { $0 } }

  /// Appends a dispatch.
  public func record(_ dispatch: RecordedDispatch) {
    recorded.withLock { $0.append(dispatch) }
  }
}
