import TestSupport
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct ReducerTests {
  struct Ping: Action {}
  class Move: Action, @unchecked Sendable {}
  final class LongMove: Move, @unchecked Sendable {}

  @Test func `S14: a typed reducer handles the actions of exactly its type`() {
    let reducer = Reducer<[String]>.on(Ping.self) { log, _ in log.append("ping") }

    #expect(reducer([], Ping()) == ["ping"])
    #expect(reducer([], Unheard()) == [])
  }

  @Test func `S14: a typed reducer is given the action as its own type`() {
    let reducer = Reducer<[String]>.on(Note.self) { log, note in log.append(note.text) }
    #expect(reducer(["A"], Note("B")) == ["A", "B"])
  }

  @Test func `S14: an untyped reducer is asked about every action`() {
    let reducer = Reducer<[String]> { log, action in log.append(label(action)) }

    let store = Store(initialState: [], reducer: reducer)
    store.dispatch(Ping())
    store.dispatch(Note("A"))

    #expect(store.state == ["Ping", "A"])
  }

  @Test func `S14: combined reducers run in the order written, typed and untyped alike`() {
    let reducer = Reducer<[String]>.combine(
      .on(Ping.self) { log, _ in log.append("1") },
      Reducer { log, _ in log.append("2") },
      .combine([
        .on(Unheard.self) { log, _ in log.append("never") },
        .on(Ping.self) { log, _ in log.append("3") },
      ]),
      .on(Ping.self) { log, _ in log.append("4") })

    let store = Store(initialState: [], reducer: reducer)
    store.dispatch(Ping())

    #expect(store.state == ["1", "2", "3", "4"])
    #expect(reducer([], Ping()) == ["1", "2", "3", "4"])
  }

  @Test func `S14: a later reducer sees what an earlier one changed`() {
    let reducer = Reducer<Int>.combine(
      .on(Ping.self) { value, _ in value += 1 }, .on(Ping.self) { value, _ in value *= 10 })
    #expect(reducer(1, Ping()) == 20)
  }

  @Test func `S14: a scoped reducer changes its part and nothing else`() {
    struct App: Equatable { var first = Journal(), second = Journal() }
    let reducer = Reducer<App>.combine(
      journalReducer.scoped(to: \.second),
      Reducer<Int>.on(Ping.self) { count, _ in count = 7 }.scoped(to: \.first.count))

    #expect(reducer(App(), Note("A")) == App(second: Journal(notes: ["A"])))
    #expect(reducer(App(), Ping()) == App(first: Journal(count: 7)))
    #expect(reducer(App(), Unheard()) == App())
  }

  @Test func `S14: a scoped reducer changes its part where it stands, without a copy`() {
    // Given a part that notices when it is changed while somebody holds a copy of it, and an
    // observer of another part that has it changed from inside its pass
    struct App: Sendable { var part = CopyNoticing(), count = 0 }
    let reducer = Reducer<App>.combine(
      Reducer<CopyNoticing>.on(Ping.self) { part, _ in part.change() }.scoped(to: \.part),
      .on(Increment.self) { app, _ in app.count += 1 })
    let store = Store(initialState: App(), reducer: reducer)
    let subscription = store.subscribe(\.count, initial: false) { _ in store.dispatch(Ping()) }

    // When
    for _ in 0..<10 {
      store.dispatch(Ping())
      store.dispatch(Increment())
    }

    // Then
    #expect(store.state.part.changes == 20)
    #expect(store.state.part.copies == 0)

    // and somebody who does hold the state is noticed
    let held = store.state
    store.dispatch(Ping())
    #expect(store.state.part.copies == 1)
    #expect(held.part.copies == 0)
    subscription.cancel()
  }

  @Test func `S14: a reducer of ReSwift's shape can be wrapped`() {
    @Sendable func countReducer(action: any Action, state: Journal?) -> Journal {
      var state = state ?? Journal(notes: ["no state was given"])
      if action is Increment { state.count += 1 }
      return state
    }
    let store = Store(
      initialState: Journal(), reducer: Reducer(wrapping: countReducer))

    store.dispatch(Increment())
    store.dispatch(Unheard())
    store.dispatch(Increment())

    #expect(store.state == Journal(count: 2))
  }

  /// One composition each, none of which handles `Unheard`.
  static let compositions: [(name: String, reducer: Reducer<Compositions>)] = [
    ("typed", .on(Ping.self) { _, _ in }),
    ("combined", .combine(.on(Ping.self) { _, _ in }, .on(Note.self) { _, _ in })),
    ("empty", .combine([])),
    ("scoped", journalReducer.scoped(to: \.journal)),
    ("optional", journalReducer.scoped(to: \.optional)),
    ("array", rowReducer.forEach(\.rows, on: RowAction.self, id: \.id, action: \.action)),
    ("dictionary", rowReducer.forEach(\.named, on: RowAction.self, id: \.id, action: \.action)),
    ("nested", .combine(.combine(journalReducer.scoped(to: \.journal)))),
  ]

  struct Compositions: Sendable {
    var journal = Journal()
    var optional: Journal? = Journal()
    var rows = [Row(id: 1)]
    var named = [1: Row(id: 1)]
  }
  struct Row: Identifiable, Sendable { var id: Int, journal = Journal() }
  struct RowAction: Action { var id: Int, action: Note }
  static let rowReducer = journalReducer.scoped(to: \Row.journal)

  @Test(arguments: compositions.map(\.name))
  func `S14: an action that no reducer handles notifies nobody, however they are composed`(
    name: String
  ) throws {
    // Given observers of which one is told whenever a reducer has anything to do with an action
    let reducer = try #require(Self.compositions.first { $0.name == name }).reducer
    #expect(reducer.reductions(Unheard.self).isEmpty)
    let store = Store(initialState: Compositions(), reducer: reducer)
    let told = Recorder<String>()
    let subscriptions = [
      store.subscribe(initial: false) { _ in told.record("whole state") },
      store.subscribe(
        { state in
          told.record("selector")
          return state.journal.count
        }, initial: false
      ) { _ in },
    ]
    #expect(told.values == ["selector"])

    // When
    store.dispatch(Unheard())

    // Then
    #expect(told.values == ["selector"])
    subscriptions.forEach { $0.cancel() }
  }

  @Test func `S14: reducers match the exact dynamic type, of a class as well`() {
    let reducer = Reducer<[String]>.combine(
      .on(Move.self) { log, _ in log.append("move") },
      .on(LongMove.self) { log, _ in log.append("long move") })
    let upcast: Move = LongMove()

    #expect(reducer([], upcast) == ["long move"])
    #expect(reducer([], Move()) == ["move"])
  }
}
