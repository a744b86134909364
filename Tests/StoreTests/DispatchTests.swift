import Store
import TestSupport
import Testing

/// Calls of dispatch from anywhere; minutes are for the thread sanitizer.
@Suite(.timeLimit(.minutes(5)))
struct DispatchTests {
  @Test func `S1: four threads dispatching 50,000 actions each lose none`() async {
    // Given
    // The thread that tells the observer may fall behind by any amount, which the store tells.
    let store = makeJournal(diagnostics: {
      if case .longFollowUpQueue = $0 { return }
      Issue.record("\($0)")
    })
    let changes = Box(0)
    let subscription = store.subscribe(\.count, initial: false) { _ in changes.value += 1 }

    // When
    await runOnThreads(4) { _ in
      for _ in 0..<50_000 { store.dispatch(Increment()) }
    }

    // Then
    #expect(store.state.count == 200_000)
    await store.idle()
    #expect(changes.value == 200_000)
    subscription.cancel()
  }

  @Test func `S1: a thousand tasks dispatching at once lose nothing`() async {
    let store = makeJournal()

    await withTaskGroup { group in
      for number in 0..<1_000 {
        group.addTask {
          store.dispatch(Increment())
          store.dispatch(Note("\(number)"))
        }
      }
    }

    #expect(store.state.count == 1_000)
    #expect(Set(store.state.notes) == Set((0..<1_000).map(String.init)))
    #expect(store.state.notes.count == 1_000)
  }

  @Test func `S1: an actor dispatches without awaiting anything`() async {
    actor Sensor {
      let store: Store<Journal>
      init(store: Store<Journal>) { self.store = store }
      func measure() -> Int {
        store.dispatch(Increment())
        return store.state.count
      }
    }
    let sensor = Sensor(store: makeJournal())
    #expect(await sensor.measure() == 1)
    #expect(await sensor.measure() == 2)
  }

  @Test func `S2: when dispatch returns the state contains the action, on each of four threads`()
    async
  {
    struct Mark: Action { let thread: Int }
    let store = Store(
      initialState: [0, 0, 0, 0],
      reducer: .on(Mark.self) { marks, mark in marks[mark.thread] += 1 })
    let wrong = Recorder<String>()

    await runOnThreads(4) { thread in
      for number in 1...2_000 {
        store.dispatch(Mark(thread: thread))
        let seen = store.state[thread]
        if seen != number { wrong.record("thread \(thread) saw \(seen) after \(number)") }
      }
    }

    #expect(wrong.values == [])
  }

  @Test func `S2: a dispatch made by an observer is visible when it returns`() {
    let store = makeJournal()
    let seen = Recorder<[String]>()
    let subscription = store.subscribe(\.count, initial: false) { _ in
      store.dispatch(Note("from the observer"))
      seen.record(store.state.notes)
    }

    store.dispatch(Increment())

    #expect(seen.values == [["from the observer"]])
    subscription.cancel()
  }

  @Test func `S2: a dispatch made by a link is visible when it returns, before its own action is`()
  {
    let seen = Recorder<Journal?>()
    let store = makeJournal(middleware: [
      Middleware { action, context, next in
        guard action is Increment else { return next(action) }
        context.dispatch(Note("first"))
        seen.record(context.state)
        let result = next(action)
        context.dispatch(Note("last"))
        seen.record(context.state)
        return result
      }
    ])

    store.dispatch(Increment())

    #expect(
      seen.values == [
        Journal(count: 0, notes: ["first"]), Journal(count: 1, notes: ["first", "last"]),
      ])
  }

  @Test func `S2: reducers run one at a time`() async {
    // Given a reducer that would notice another one beside it
    let inside = Box(0)
    let overlaps = Box(0)
    let store = Store(
      initialState: 0,
      reducer: Reducer<Int>.on(Increment.self) { count, _ in
        if inside.exchange(1) != 0 { overlaps.value += 1 }
        count += 1
        inside.value = 0
      })

    // When
    await runOnThreads(4) { _ in
      for _ in 0..<5_000 { store.dispatch(Increment()) }
    }

    // Then
    #expect(overlaps.value == 0)
    #expect(store.state == 20_000)
  }
}
