import Middleware
import Store
import TestSupport
import Testing

/// What `logging(changes: true)` says of the state.
@Suite(.timeLimit(.minutes(5)))
struct LoggingChangesTests {
  /// The ends of the log lines of what `use` dispatches: what comes after the duration.
  private static func changes(
    after links: [Middleware<Journal>] = [], _ use: (Store<Journal>) -> Void
  ) -> [String] {
    let lines = Recorder<String>()
    let logging = Middleware<Journal>.logging(
      changes: true, clock: SteppingClock(step: .microseconds(3)), to: lines.record)
    use(makeJournal(middleware: [logging] + links))
    return lines.values.map { line in
      line.split(separator: " µs", omittingEmptySubsequences: false).last.map(String.init) ?? line
    }
  }

  @Test func `M7: a log line names the parts that changed, with the old and the new value`() {
    let changes = Self.changes { store in
      store.dispatch(Increment())
      store.dispatch(Note("A"))
      store.dispatch(Increment())
    }
    #expect(changes == ["; count: 0 → 1", #"; notes[0]: nothing → "A""#, "; count: 1 → 2"])
  }

  @Test func `M7: an action that changes nothing has a line without changes`() {
    #expect(Self.changes { $0.dispatch(Unheard()) } == [""])
    #expect(Self.changes(after: [.filter { _ in false }]) { $0.dispatch(Increment()) } == [""])
  }

  @Test func `M7: changes of a nested dispatch are told on its own line`() {
    let changes = Self.changes(after: [
      Middleware { action, context, next in
        guard action is Increment else { return next(action) }
        next(action)
        context.dispatch(Note("A"))
        return next(action)
      }
    ]) { $0.dispatch(Increment()) }
    #expect(changes == [#"; notes[0]: nothing → "A""#, "; count: 0 → 1, count: 1 → 2"])
  }

  @Test func `M7: what a later link passes on after its chain is told with the next action`() {
    let kept = Box<Next<Journal>?>(nil)
    let changes = Self.changes(after: [
      Middleware { action, _, next in
        guard action is Note else { return next(action) }
        kept.value = next
        return .swallowed
      }
    ]) { store in
      store.dispatch(Note("A"))
      kept.exchange(nil)?(Note("A"))
      store.dispatch(Increment())
    }
    #expect(changes == ["", #"; count: 0 → 1, notes[0]: nothing → "A""#])
  }

  @Test func `M7: hostile and huge values stay within one short line`() {
    let changes = Self.changes { store in
      store.dispatch(Note("\u{1B}[2J\n" + String(repeating: "x", count: 100_000)))
    }
    #expect(changes.count == 1)
    #expect(changes[0].hasPrefix(#"; notes[0]: nothing → "\u{1B}[2J\nxx"#), "\(changes[0])")
    #expect(changes[0].hasSuffix("x…"))
    #expect(changes[0].utf8.count < 300)
  }

  @Test func `M7: with four threads dispatching, the changes told follow on one another`() async {
    // Given
    let lines = Recorder<String>()
    let store = Store(
      initialState: 0, reducer: Reducer<Int>.on(Increment.self) { count, _ in count += 1 },
      middleware: [.logging(changes: true, to: lines.record)])

    // When
    await runOnThreads(4) { _ in
      for _ in 0..<500 { store.dispatch(Increment()) }
    }

    // Then each line tells exactly the change of its own commit
    let wrong = lines.values.filter { line in
      guard let match = line.wholeMatch(of: /.* reduced as commit (\d+) in .*; (\d+) → (\d+)/),
        let commit = Int(match.1), let old = Int(match.2), let new = Int(match.3)
      else { return true }
      return old != commit - 1 || new != commit
    }
    #expect(wrong == [])
    #expect(lines.count == 2_000)
  }
}
