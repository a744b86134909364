import Middleware
import SideEffects
import Store
import StoreTesting
import TestSupport
import Testing

/// One run of a scenario: makes stores whose effects run on the engine.
struct Trial: Sendable, CustomStringConvertible {
  /// The deterministic engine and its seed; nil for the real one.
  private let engine: (seed: UInt64, executor: DeterministicExecutor, clock: TestClock)?

  init(engine: (seed: UInt64, executor: DeterministicExecutor, clock: TestClock)?) {
    self.engine = engine
  }

  /// What to say of an expectation that fails.
  var description: String { engine.map { "seed \($0.seed)" } ?? "on threads" }

  /// Makes a store; a diagnostic that matters fails the test, unless the scenario looks itself.
  func makeStore(
    _ items: [StateItem<Journal>], reducer: Reducer<Journal> = journalReducer,
    diagnostics: (@Sendable (Diagnostic) -> Void)? = nil
  ) -> Store<Journal> {
    let diagnostics =
      diagnostics ?? { [self] diagnostic in
        if diagnostic.severity > .notice { Issue.record("unexpected: \(diagnostic) (\(self))") }
      }
    let middleware = [createMiddleware(items: items)] as [Middleware<Journal>]
    guard let engine else {
      return Store(
        initialState: Journal(), reducer: reducer, middleware: middleware, diagnostics: diagnostics)
    }
    return Store(
      initialState: Journal(), reducer: reducer, middleware: middleware, clock: engine.clock,
      executor: engine.executor, diagnostics: diagnostics)
  }

  func makeStore(
    _ items: MiddlewareItem..., reducer: Reducer<Journal> = journalReducer,
    diagnostics: (@Sendable (Diagnostic) -> Void)? = nil
  ) -> Store<Journal> {
    makeStore(items.map { StateItem($0) }, reducer: reducer, diagnostics: diagnostics)
  }

  /// Does all of this side by side, and returns when it is done.
  func sideBySide(_ count: Int, _ body: @escaping @Sendable (Int) async -> Void) async {
    await withTaskGroup { group in
      for index in 0..<count { group.addTask { await body(index) } }
    }
  }

  /// Waits until the store has nothing left to do, and checks that nothing is left.
  func expectRest(
    _ store: Store<Journal>, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await store.idle()
    #expect(store.liveEffects().isEmpty, "\(self)", sourceLocation: sourceLocation)
    #expect(store.effects.current == 0, "\(self)", sourceLocation: sourceLocation)
    #expect(store.followUpDepth == 0, "\(self)", sourceLocation: sourceLocation)
  }
}

/// Lets others go first, a few times: suspensions at which the engine may change over, not a wait for
/// anything.
func pause(_ turns: Int) async {
  for _ in 0..<turns { await Task.yield() }
}
