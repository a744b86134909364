import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// A store whose effects run, and whose time passes, only when the test says so.
///
/// What an effect does before it first suspends happens inside the dispatch; everything after that
/// happens inside ``advance(by:)`` and ``settle()``, in the same order in each run.
struct TimedStore {
  let executor = DeterministicExecutor()
  let clock: TestClock
  let store: Store<Journal>

  init(
    _ items: StateItem<Journal>..., reducer: Reducer<Journal> = journalReducer,
    diagnostics: @escaping @Sendable (Diagnostic) -> Void = { Issue.record("unexpected: \($0)") }
  ) {
    clock = TestClock(executor: executor)
    store = Store(
      initialState: Journal(), reducer: reducer, middleware: [createMiddleware(items: items)],
      clock: clock, executor: executor, diagnostics: diagnostics)
  }

  init(
    _ items: MiddlewareItem..., reducer: Reducer<Journal> = journalReducer,
    diagnostics: @escaping @Sendable (Diagnostic) -> Void = { Issue.record("unexpected: \($0)") }
  ) {
    clock = TestClock(executor: executor)
    store = Store(
      initialState: Journal(), reducer: reducer, middleware: [createMiddleware(items: items)],
      clock: clock, executor: executor, diagnostics: diagnostics)
  }

  var answers: [Int] { store.state.answers }

  /// Lets everything run as far as it can.
  func settle() async { await advance(by: .zero) }

  /// Lets time pass, and everything run that is due on the way.
  func advance(by duration: Duration) async { await clock.advance(by: duration) }

  /// How many milliseconds have passed.
  var now: Int { Int(clock.now.offset / .milliseconds(1)) }

  /// Checks that nothing is left: no run, no sleep, no job.
  func expectRest(sourceLocation: SourceLocation = #_sourceLocation) async {
    await settle()
    #expect(store.liveEffects().isEmpty, sourceLocation: sourceLocation)
    #expect(store.effects.current == 0, sourceLocation: sourceLocation)
    #expect(clock.sleepers.isEmpty, sourceLocation: sourceLocation)
    #expect(executor.isIdle, sourceLocation: sourceLocation)
    #expect(store.followUpDepth == 0, sourceLocation: sourceLocation)
  }
}

extension LiveEffect {
  /// What it waits for, in words.
  var waitsInWords: String { waits.map(\.description).joined(separator: " and ") }
}
