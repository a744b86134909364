import Middleware
import SideEffects
import Store
import Testing

/// A key that is counted for as long as anything remembers it.
final class CountedKey: Hashable, Sendable {
  let number: Int
  private let census: Census

  init(_ number: Int, in census: Census) {
    self.number = number
    self.census = census
    census.enter()
  }

  deinit { census.leave() }

  static func == (first: CountedKey, second: CountedKey) -> Bool { first.number == second.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// Starts effects about a counted key.
struct Work: Action {
  var key: CountedKey
}

/// How many actions of each kind were reduced.
struct Tally: Sendable {
  var works = 0
  var answers = 0
}

/// Makes a store that only counts; a diagnostic that is more than a notice fails the test.
func makeCountingStore(_ items: MiddlewareItem...) -> Store<Tally> {
  Store(
    initialState: Tally(),
    reducer: .combine(
      .on(Work.self) { tally, _ in tally.works += 1 },
      .on(Answer.self) { tally, _ in tally.answers += 1 }),
    middleware: [createMiddleware(items: items)],
    diagnostics: { diagnostic in
      if diagnostic.severity > .notice { Issue.record("unexpected: \(diagnostic)") }
    })
}
