import Middleware
import SideEffects
import Store
import StoreTesting

/// What the examples of this folder have in common: a state that lists what happened.
struct Diary: Equatable {
  var lines: [String] = []
}

/// Adds a line to the diary.
struct Wrote: Action, Equatable {
  var line: String
}

let diaryReducer = Reducer<Diary>.on(Wrote.self) { diary, wrote in diary.lines.append(wrote.line) }

/// A store that keeps a diary of what its effects do.
///
/// Its clock stands still until a test moves it.
func diary(_ items: MiddlewareItem...) -> TestStore<Diary> {
  TestStore(
    initialState: Diary(), reducer: diaryReducer, middleware: [createMiddleware(items: items)])
}
