public import Store

extension Middleware {
  /// A link that writes one line for each dispatch that passes it, and changes nothing.
  ///
  /// ```swift
  /// let store = Store(
  ///   initialState: AppState(), reducer: appReducer, middleware: [.logging(changes: true)])
  ///
  /// // dispatch #1 at MyApp/main.swift:9: Counter.increment reduced as commit 1 in 3.1 µs; count: 0 → 1
  /// ```
  ///
  /// A line has the number of the dispatch, its line in the source and its cause, the action, what
  /// became of it, and how long the rest of the chain took. Control characters in what an action
  /// prints become visible escape sequences, and long texts end in `…`. Lines of several threads do
  /// not mix; a line that a link's own dispatch makes comes before that of the action it handled.
  ///
  /// First in the array the link sees actions as they were dispatched, last as they are reduced.
  ///
  /// - Parameters:
  ///   - changes: whether to say what the action changed in the state. For that the state before is
  ///     kept until the next action, so each action copies the collections that it changes, and the
  ///     two states are compared part by part: use it to look for a mistake. What a link after this
  ///     one keeps and passes on later is told with the next action.
  ///   - clock: measures the durations.
  ///   - write: given each line, without a line break at its end, on the thread that dispatches;
  ///     several threads may be in it at once. By default lines go to the standard error stream.
  /// - Returns: the link.
  public static func logging(
    changes: Bool = false, clock: any Clock<Duration> = ContinuousClock(),
    to write: @escaping @Sendable (_ line: String) -> Void = writeToStandardError
  ) -> Middleware {
    guard changes else { return recording(clock: clock) { write("\($0)") } }
    return Middleware(forEachStore: {
      let states = ConsecutiveStates<State>()
      return { action, context, next in
        states.begin { context.read(BoxedValue.init) }
        let commits = Lock<[ConsecutiveStates<State>.Change]>([])
        let record = RecordedDispatch(action, context.identity, clock: clock) {
          next(action) { state in
            let change = states.advance(to: BoxedValue(state))
            commits.withLock { $0.append(change) }
          }.result
        }
        let differences = commits.withLock { $0 }.flatMap { Difference.between($0.old, $0.new) }
        write("\(record)\(differences.logText)")
        return record.result
      }
    })
  }
}

/// The states of one store, commit by commit.
private final class ConsecutiveStates<State: Sendable>: Sendable {
  struct Change: Sendable {
    var old: BoxedValue<State>
    var new: BoxedValue<State>
  }

  private let last = Lock<BoxedValue<State>?>(nil)

  /// Notes the state that the first action finds.
  ///
  /// Every action does this before it is reduced, so whoever finds nothing noted reads the state
  /// before the first commit, and threads that do so at once read the same.
  func begin(_ state: () -> BoxedValue<State>?) {
    guard last.withLock({ $0 == nil }), let state = state() else { return }
    last.withLock { $0 = $0 ?? state }
  }

  /// Notes the state that a commit made; to be called in its critical section.
  func advance(to state: BoxedValue<State>) -> Change {
    last.withLock { last in
      defer { last = state }
      return Change(old: last ?? state, new: state)
    }
  }
}

extension [Difference] {
  /// The differences as the end of a line.
  fileprivate var logText: String {
    var line = SingleLine(limit: 1_000)
    for (index, difference) in enumerated() {
      let name = difference.path.isEmpty ? "" : "\(difference.path): "
      let (old, new) = (difference.old ?? "nothing", difference.new ?? "nothing")
      line.write(index == 0 ? "; " : ", ")
      line.write("\(name)\(SingleLine(old, limit: 100).text) → \(SingleLine(new, limit: 100).text)")
    }
    return line.text
  }
}
