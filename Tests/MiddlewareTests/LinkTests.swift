import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LinkTests {
  @Test func `M1: the first link of the array is the outermost`() {
    // Given
    let log = Recorder<String>()
    let store = Store(
      initialState: 0,
      reducer: Reducer<Int>.on(Increment.self) { _, _ in log.record("reducer") },
      middleware: ["A", "B"].map { name in
        Middleware { action, _, next in
          log.record("\(name)>")
          let result = next(action)
          log.record("<\(name)")
          return result
        }
      })

    // When
    store.dispatch(Increment())

    // Then
    #expect(log.values == ["A>", "B>", "reducer", "<B", "<A"])
  }

  @Test func `M1: a link may replace an action, and the next one sees the replacement`() {
    let log = Recorder<String>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        guard let note = action as? Note else { return next(action) }
        return next(Note(note.text + "1"))
      },
      tracing("inner", in: log),
      Middleware { action, _, next in
        guard let note = action as? Note else { return next(action) }
        return next(Note(note.text + "2"))
      },
    ])

    store.dispatch(Note("A"))

    #expect(store.state.notes == ["A12"])
    #expect(log.values == ["inner> A1", "<inner A1"])
  }

  @Test func `M1: a link may replace an action by one of another type`() {
    let store = makeJournal(middleware: [
      Middleware { action, _, next in action is Note ? next(Increment()) : next(action) }
    ])
    store.dispatch(Note("A"))
    #expect(store.state == Journal(count: 1))
  }

  @Test func `M1: a link may swallow an action, and nothing after it sees it`() {
    let log = Recorder<String>()
    let store = makeJournal(middleware: [
      tracing("outer", in: log),
      Middleware { action, _, next in action is Note ? .swallowed : next(action) },
      tracing("inner", in: log),
    ])
    let subscription = store.subscribe({ $0 }, initial: false) { _ in log.record("told") }

    store.dispatch(Note("A"))

    #expect(log.values == ["outer> A", "<outer A"])
    #expect(store.state == Journal())
    subscription.cancel()
  }

  @Test func `M1: a link may multiply an action`() {
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        next(action)
        next(Note("and"))
        return next(action)
      }
    ])
    store.dispatch(Note("again"))
    #expect(store.state.notes == ["again", "and", "again"])
  }

  @Test func `M1: a link may delay an action and let it go inside a later one`() {
    // Given a link that keeps notes until an increment comes
    let log = Recorder<String>()
    let store = makeJournal(middleware: [
      Middleware(forEachStore: {
        let waiting = Box<[(any Action, Next<Journal>)]>([])
        return { action, _, next in
          guard action is Increment else {
            waiting.value.append((action, next))
            return .swallowed
          }
          let result = next(action)
          for (action, next) in waiting.exchange([]) { next(action) }
          return result
        }
      }),
      tracing("inner", in: log),
    ])
    store.dispatch(Note("A"))
    store.dispatch(Note("B"))
    #expect(log.values == [])

    // When
    store.dispatch(Increment())

    // Then
    #expect(store.state == Journal(count: 1, notes: ["A", "B"]))
    #expect(
      log.values.filter { $0.hasPrefix("inner>") } == [
        "inner> Increment", "inner> A", "inner> B",
      ])
  }

  @Test func `M1: a link that remembers something is made anew for each store`() {
    // Given one middleware value that numbers actions, in two stores
    let numbering = Middleware<Journal>(forEachStore: {
      let count = Box(0)
      return { _, _, next in
        count.value += 1
        return next(Note("\(count.value)"))
      }
    })
    let stores = [makeJournal(middleware: [numbering]), makeJournal(middleware: [numbering])]

    // When
    stores[0].dispatch(Unheard())
    stores[0].dispatch(Unheard())
    stores[1].dispatch(Unheard())

    // Then
    #expect(stores.map(\.state.notes) == [["1", "2"], ["1"]])
  }

  @Test func `M1: a link's own dispatch goes through the whole chain`() {
    let log = Recorder<String>()
    let store = makeJournal(middleware: [
      tracing("outer", in: log),
      Middleware { action, context, next in
        if action is Increment { context.dispatch(Note("A")) }
        return next(action)
      },
    ])

    store.dispatch(Increment())

    #expect(
      log.values == ["outer> Increment", "outer> A", "<outer A", "<outer Increment"])
  }
}
