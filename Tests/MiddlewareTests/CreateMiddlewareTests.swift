import Middleware
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CreateMiddlewareTests {
  class Move: Action, @unchecked Sendable {}
  final class LongMove: Move, @unchecked Sendable {}

  @Test func `M2: every item of the action's type is called once, in the order given`() {
    // Given
    let log = Recorder<Int>()
    let items = (0..<5).map { number in
      MiddlewareItem.on(Note.self) { _, _ in log.record(number) }
    }
    let store = makeJournal(middleware: [
      createMiddleware(items: Array(items[..<3])), createMiddleware(items: Array(items[3...])),
    ])

    // When
    store.dispatch(Note("A"))

    // Then
    #expect(log.values == [0, 1, 2, 3, 4])
  }

  @Test func `M2: an item is given the action as its own type`() {
    let received = Recorder<Note>()
    let store = makeJournal(items: [.on(Note.self) { note, _ in received.record(note) }])

    store.dispatch(Note("A"))
    store.dispatch(Note("B"))

    #expect(received.values == [Note("A"), Note("B")])
  }

  @Test func `M2: an item of another type is not called`() {
    let store = makeJournal(items: [
      .on(Note.self) { note, _ in Issue.record("called with \(note)") }
    ])
    store.dispatch(Increment())
    store.dispatch(Unheard())
  }

  @Test func `M2: an item is called after the reducer, and reads what that made of the state`() {
    let counts = Recorder<Int?>()
    let store = makeJournal(middleware: [
      createMiddleware(items: [
        StateItem.on(Increment.self, reading: \.count) { _, _, count in counts.record(count()) }
      ])
    ])

    store.dispatch(Increment())
    store.dispatch(Increment())

    #expect(counts.values == [1, 2])
  }

  @Test func `M2: an item is called for an action that no reducer handles`() {
    let log = Recorder<String>()
    let store = makeJournal(items: [.on(Unheard.self) { _, _ in log.record("called") }])
    store.dispatch(Unheard())
    #expect(log.values == ["called"])
  }

  @Test func `M2: an untyped item is called for every action that reached the reducer`() {
    // Given a link that swallows one action and replaces another
    let log = Recorder<String>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        switch label(action) {
        case "swallowed": .swallowed
        case "replaced": next(Note("replacement"))
        default: next(action)
        }
      },
      createMiddleware(items: [MiddlewareItem { action, _ in log.record(label(action)) }]),
    ])

    // When
    for text in ["A", "swallowed", "replaced"] { store.dispatch(Note(text)) }
    store.dispatch(Unheard())

    // Then
    #expect(log.values == ["A", "replacement", "Unheard"])
  }

  @Test func `M2: what an item dispatches goes through the whole chain`() {
    let log = Recorder<String>()
    let store = makeJournal(middleware: [
      tracing("link", in: log),
      createMiddleware(items: [
        .on(Increment.self) { _, dispatch in dispatch(Note("first")) },
        .on(Increment.self) { _, dispatch in dispatch(Note("second")) },
      ]),
    ])

    store.dispatch(Increment())

    #expect(
      log.values == [
        "link> Increment", "<link Increment", "link> first", "<link first", "link> second",
        "<link second",
      ])
    #expect(store.state == Journal(count: 1, notes: ["first", "second"]))
  }

  @Test(arguments: [true, false])
  func `M2: items have no place in the chain`(itemsFirst: Bool) {
    // Given items before or after a link
    let log = Recorder<String>()
    let items: Middleware<Journal> = createMiddleware(items: [
      .on(Increment.self) { _, _ in log.record("item") }
    ])
    let link = tracing("link", in: log)
    let store = makeJournal(middleware: itemsFirst ? [items, link] : [link, items])

    // When
    store.dispatch(Increment())

    // Then
    #expect(log.values == ["link> Increment", "<link Increment", "item"])
  }

  @Test func `M2: items match the exact dynamic type, of a class as well`() {
    let log = Recorder<String>()
    let store = makeJournal(items: [
      .on(Move.self) { _, _ in log.record("move") },
      .on(LongMove.self) { _, _ in log.record("long move") },
    ])
    let upcast: Move = LongMove()

    store.dispatch(upcast)
    store.dispatch(Move())

    #expect(log.values == ["long move", "move"])
  }

  @Test func `M2: an item is given the very object that was sent`() {
    let received = Recorder<Move>()
    let store = makeJournal(items: [.on(Move.self) { move, _ in received.record(move) }])
    let move = Move()

    store.dispatch(move)

    #expect(received.values.map(ObjectIdentifier.init) == [ObjectIdentifier(move)])
  }

  @Test func `M2: items of a value that two stores share dispatch each to its own store`() {
    let answering: Middleware<Journal> = createMiddleware(items: [
      .on(Increment.self) { _, dispatch in dispatch(Note("answer")) }
    ])
    let stores = [makeJournal(middleware: [answering]), makeJournal(middleware: [answering])]

    stores[1].dispatch(Increment())

    #expect(stores.map(\.state.notes) == [[], ["answer"]])
  }

  @Test func `M2: items with and without state fit into one list and keep its order`() {
    let log = Recorder<String>()
    let plain = MiddlewareItem.on(Increment.self) { _, _ in log.record("plain") }
    let store = makeJournal(middleware: [
      createMiddleware(items: [
        .on(Increment.self, reading: \.count) { _, _, count in
          log.record("first \(count() ?? -1)")
        },
        StateItem(plain),
        .on(Increment.self, reading: { $0 }) { _, dispatch, state in
          dispatch(Note("A"))
          log.record("last \(state()?.notes ?? [])")
        },
      ])
    ])

    store.dispatch(Increment())

    #expect(log.values == ["first 1", "plain", #"last ["A"]"#])
  }

  @Test func `M2: a reader that is called inside a reducer answers nil and is diagnosed`() {
    // Given an item whose reader is kept, and a reducer that calls it
    let kept = Box<StateReader<Int>?>(nil)
    let read = Recorder<Int?>()
    let reports = Recorder<String>()
    let store = Store(
      initialState: 7,
      reducer: .on(Increment.self) { _, _ in if let reader = kept.value { read.record(reader()) } },
      middleware: [
        createMiddleware(items: [
          StateItem.on(Unheard.self, reading: { $0 }) { _, _, state in kept.value = state }
        ])
      ], diagnostics: { reports.record("\($0)") })
    store.dispatch(Unheard())
    #expect(kept.value?() == 7)

    // When
    store.dispatch(Increment())

    // Then
    #expect(read.values == [nil])
    #expect(reports.count == 1)
  }
}
