import Middleware
import Store
import Testing

/// The state of the stores under test: which actions were reduced, in order.
struct Journal: Equatable, Sendable {
  var begun: [Int] = []
  var answers: [Int] = []
  var failures: [String] = []
}

/// Starts the effects under test.
struct Begin: Action, Equatable {
  var id = 0
}

/// What the effects under test send.
struct Answer: Action, Equatable {
  var id = 0
}

let journalReducer = Reducer<Journal>.combine(
  .on(Begin.self) { journal, action in journal.begun.append(action.id) },
  .on(Answer.self) { journal, action in journal.answers.append(action.id) }
)

/// Makes a store that follows these items; a diagnostic that no test asked for fails the test.
func makeStore(
  _ items: MiddlewareItem..., links: [Middleware<Journal>] = [],
  reducer: Reducer<Journal> = journalReducer,
  diagnostics: @escaping @Sendable (Diagnostic) -> Void = { Issue.record("unexpected: \($0)") }
) -> Store<Journal> {
  Store(
    initialState: Journal(), reducer: reducer,
    middleware: links + [createMiddleware(items: items)], diagnostics: diagnostics)
}
