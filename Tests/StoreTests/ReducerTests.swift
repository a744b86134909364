import Store
import TestSupport
import Testing

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
    struct Part: Sendable {
      private var token = DeinitProbe {}
      var changes = 0
      var copies = 0
      mutating func change() {
        changes += 1
        if !isKnownUniquelyReferenced(&token) { copies += 1 }
      }
    }
    struct App: Sendable { var part = Part(), count = 0 }
    let reducer = Reducer<App>.combine(
      Reducer<Part>.on(Ping.self) { part, _ in part.change() }.scoped(to: \.part),
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

  @Test func `S14: an action that no reducer handles changes nothing and notifies nobody`() {
    let store = makeJournal()
    let told = Recorder<Journal>()
    let selected = Recorder<Int>()
    let subscriptions = [
      store.subscribe(initial: false) { told.record($0) },
      store.subscribe({ $0.count }, initial: false) { selected.record($0) },
    ]

    store.dispatch(Unheard())

    #expect(store.state == Journal())
    #expect(told.values == [])
    #expect(selected.values == [])
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
