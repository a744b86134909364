import Store
import TestSupport
import Testing

/// The state of most tests: a count, and what was noted, in order.
struct Journal: Equatable, Sendable {
  var count = 0
  var notes: [String] = []
}

struct Increment: Action {}
struct Note: Action {
  let text: String
  init(_ text: String) { self.text = text }
}
/// An action that no reducer handles.
struct Unheard: Action {}

let journalReducer = Reducer<Journal>.combine(
  .on(Increment.self) { journal, _ in journal.count += 1 },
  .on(Note.self) { journal, note in journal.notes.append(note.text) })

/// Makes a store of a journal; what it has to complain about fails the test.
func makeJournal(
  middleware: [Middleware<Journal>] = [],
  diagnostics: @escaping @Sendable (Diagnostic) -> Void = { Issue.record("\($0)") }
) -> Store<Journal> {
  Store(
    initialState: Journal(), reducer: journalReducer, middleware: middleware,
    diagnostics: diagnostics)
}

/// A link that passes every action on and says so before and after.
func tracing(_ name: String, in log: Recorder<String>) -> Middleware<Journal> {
  Middleware { action, _, next in
    log.record("\(name)> \(label(action))")
    let result = next(action)
    log.record("<\(name) \(label(action))")
    return result
  }
}

func label(_ action: any Action) -> String {
  (action as? Note)?.text ?? String(describing: type(of: action))
}
