import Store
import TestSupport
import Testing

/// Reducers of a part that is not always there.
@Suite(.timeLimit(.minutes(5)))
struct ReducerOptionalTests {
  private struct App: Sendable, Equatable { var journal: Journal? }
  private struct Open: Action {}
  private struct Close: Action {}

  private static let opening = Reducer<App>.on(Open.self) { app, _ in app.journal = Journal() }
  private static let closing = Reducer<App>.on(Close.self) { app, _ in app.journal = nil }

  @Test func `S14: a reducer scoped into a part that is there changes it`() {
    let reducer = journalReducer.scoped(to: \App.journal)
    #expect(reducer(App(journal: Journal()), Note("A")) == App(journal: Journal(notes: ["A"])))
  }

  @Test func `S14: a reducer scoped into nil leaves it alone`() {
    let reducer = journalReducer.scoped(to: \App.journal)
    #expect(reducer(App(), Note("A")) == App())
  }

  @Test func `S14: a reducer scoped into nil calls neither setter nor observer of the property`() {
    struct Watched: Sendable {
      var changes = 0
      var stored: Journal? { didSet { changes += 1 } }
      var computed: Journal? {
        get { stored }
        set { stored = newValue }
      }
    }
    let reducer = Reducer<Watched>.combine(
      journalReducer.scoped(to: \.stored), journalReducer.scoped(to: \.computed))

    #expect(reducer(Watched(), Increment()).changes == 0)
    #expect(reducer(Watched(stored: Journal()), Increment()).stored?.count == 2)
  }

  @Test func `S14: an action for a part that is nil tells nobody, not even of the whole state`() {
    // Given
    let store = Store(
      initialState: App(),
      reducer: .combine(Self.opening, Self.closing, journalReducer.scoped(to: \.journal)))
    let told = Recorder<App>()
    let subscription = store.subscribe(initial: false) { told.record($0) }

    // When
    store.dispatch(Increment())
    #expect(told.values == [])
    store.dispatch(Open())
    store.dispatch(Increment())
    store.dispatch(Close())
    store.dispatch(Increment())

    // Then
    #expect(
      told.values == [App(journal: Journal()), App(journal: Journal(count: 1)), App()])
    subscription.cancel()
  }

  @Test func `S14: a part that one reducer makes or removes is there or not for the next one`() {
    struct Fill: Action {}
    let filling = Reducer<App>.combine(
      .on(Fill.self) { app, _ in app.journal = Journal() },
      Reducer<Journal>.on(Fill.self) { journal, _ in journal.count += 1 }.scoped(to: \.journal))
    let emptying = Reducer<App>.combine(
      Reducer<Journal>.on(Fill.self) { _, _ in Issue.record("called with nil") }
        .scoped(to: \.journal),
      .on(Fill.self) { app, _ in app.journal = nil })

    #expect(filling(App(), Fill()) == App(journal: Journal(count: 1)))
    #expect(emptying(App(), Fill()) == App())
  }

  @Test func `S14: reducers of parts within optional parts compose`() {
    struct Outer: Sendable, Equatable { var app: App? }
    let reducer = Reducer<Outer>.combine(
      journalReducer.scoped(to: \App.journal).scoped(to: \.app),
      Reducer<Int>.on(Open.self) { count, _ in count = 9 }.scoped(to: \Journal.count)
        .scoped(to: \App.journal).scoped(to: \.app))

    for empty in [Outer(), Outer(app: App())] {
      #expect(reducer(empty, Increment()) == empty)
      #expect(reducer(empty, Open()) == empty)
    }
    let full = Outer(app: App(journal: Journal()))
    #expect(reducer(full, Increment()) == Outer(app: App(journal: Journal(count: 1))))
    #expect(reducer(full, Open()) == Outer(app: App(journal: Journal(count: 9))))
  }

  @Test func `S14: an optional part is changed where it stands, without a copy`() {
    struct Page: Sendable { var part: CopyNoticing? = CopyNoticing() }
    let store = Store(
      initialState: Page(),
      reducer: Reducer<Page>.combine(
        Reducer<CopyNoticing>.combine(
          .on(Increment.self) { part, _ in part.change() },
          .on(Increment.self) { part, _ in part.change() }
        ).scoped(to: \.part)))

    for _ in 0..<10 { store.dispatch(Increment()) }
    #expect(store.state.part?.changes == 20)
    #expect(store.state.part?.copies == 0)

    // and somebody who does hold the state is noticed
    let held = store.state
    store.dispatch(Increment())
    #expect(store.state.part?.copies == 2)
    #expect(held.part?.copies == 0)
  }
}
