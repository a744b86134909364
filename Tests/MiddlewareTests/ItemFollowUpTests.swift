import Middleware
import Store
import TestSupport
import Testing

/// Items as follow-up work: their order, their identity and their life.
@Suite(.timeLimit(.minutes(5)))
struct ItemFollowUpTests {
  @Test func `S2: what an item dispatches is visible when that returns`() {
    let seen = Recorder<[String]?>()
    let store = makeJournal(middleware: [
      createMiddleware(items: [
        StateItem.on(Increment.self, reading: \.notes) { _, dispatch, notes in
          dispatch(Note("A"))
          seen.record(notes())
        }
      ])
    ])
    store.dispatch(Increment())
    #expect(seen.values == [["A"]])
  }

  @Test func `S3: A sends B and C, B sends D: items reduce A, B, C, D`() {
    let sends = ["A": ["B", "C"], "B": ["D"]]
    let handled = Recorder<String>()
    let store = makeJournal(items: [
      .on(Note.self) { note, dispatch in
        handled.record(note.text)
        for text in sends[note.text] ?? [] { dispatch(Note(text)) }
      }
    ])

    store.dispatch(Note("A"))

    #expect(store.state.notes == ["A", "B", "C", "D"])
    #expect(handled.values == ["A", "B", "C", "D"])
  }

  @Test
  func `S3: the observers of an action are told before its items, and both before what follows`() {
    // Given an observer and two items that all dispatch
    let log = Recorder<String>()
    let store = makeJournal(items: [
      .on(Note.self) { note, dispatch in
        log.record("first item \(note.text)")
        if note.text == "A" { dispatch(Note("B")) }
      },
      .on(Note.self) { note, _ in log.record("second item \(note.text)") },
    ])
    let subscription = store.subscribe(\.notes, initial: false) { notes in
      log.record("observer \(notes.last ?? "")")
      if notes == ["A"] { store.dispatch(Note("C")) }
    }

    // When
    store.dispatch(Note("A"))

    // Then
    #expect(
      log.values == [
        "observer A", "first item A", "second item A",
        "observer C", "first item C", "second item C",
        "observer B", "first item B", "second item B",
      ])
    subscription.cancel()
  }

  @Test func `S3: items run under no lock and one at a time, whichever thread dispatches`() async {
    let inside = Box(0)
    let overlaps = Box(0)
    let called = Box(0)
    let store = makeJournal(items: [
      .on(Increment.self) { _, _ in
        if inside.exchange(1) != 0 { overlaps.value += 1 }
        called.value += 1
        inside.value = 0
      }
    ])

    await runOnThreads(4) { _ in
      for _ in 0..<2_500 { store.dispatch(Increment()) }
    }
    await store.idle()

    #expect(overlaps.value == 0)
    #expect(called.value == 10_000)
  }

  @Test func `S9: a kept dispatch function does nothing once the store is gone`() async {
    let kept = Box<DispatchFunction?>(nil)
    var store: Store<Journal>? = makeJournal(items: [
      .on(Increment.self) { _, dispatch in kept.value = dispatch }
    ])
    weak let observed = store
    store?.dispatch(Increment())
    store = nil

    #expect(observed == nil, "a kept dispatch function does not keep the store")
    await kept.value?(Increment()).finish()
  }

  @Test func `S9: a kept reader answers nil once the store is gone`() {
    let kept = Box<StateReader<Int>?>(nil)
    var store: Store<Journal>? = makeJournal(middleware: [
      createMiddleware(items: [
        StateItem.on(Increment.self, reading: \.count) { _, _, count in
          kept.value = count
        }
      ])
    ])
    store?.dispatch(Increment())
    #expect(kept.value?() == 1)
    store = nil
    #expect(kept.value?() == nil)
  }

  @Test func `S10: dropping the store frees its items, used or not`() {
    let freed = Recorder<String>()
    var store: Store<Journal>?
    do {
      let (used, unused) = (
        DeinitProbe { freed.record("used") }, DeinitProbe { freed.record("unused") }
      )
      store = makeJournal(middleware: [
        createMiddleware(items: [
          .on(Increment.self) { _, _ in _ = used }, MiddlewareItem { _, _ in _ = unused },
        ]),
        createMiddleware(items: [
          StateItem.on(Note.self, reading: \.count) { _, _, _ in _ = (used, unused) }
        ]),
      ])
      store?.dispatch(Increment())
    }
    #expect(freed.values == [])

    store = nil

    #expect(freed.values.sorted() == ["unused", "used"])
  }

  @Test func `S10: a store released by its own item lives until the dispatch returns`() {
    let log = Recorder<String>()
    let owner = Box<Store<Journal>?>(nil)
    owner.value = makeJournal(items: [
      .on(Increment.self) { _, dispatch in
        owner.exchange(nil)
        dispatch(Note("still there"))
      },
      .on(Note.self) { note, _ in log.record(note.text) },
    ])
    weak let observed = owner.value

    owner.value?.dispatch(Increment())

    #expect(log.values == ["still there"])
    #expect(observed == nil)
  }

  @Test func `S15: what an item sends names the dispatch it followed and the item's line`() {
    let log = Recorder<DispatchIdentity>()
    let line: UInt = #line + 4
    let store = makeJournal(middleware: [
      identifying(in: log),
      createMiddleware(items: [
        .on(Increment.self) { _, dispatch in dispatch(Note("A")) },
        .on(Note.self) { _, dispatch in dispatch(Unheard()) },
      ]),
    ])

    store.dispatch(Unheard())
    store.dispatch(Increment())

    #expect(log.values.map(\.number) == [1, 2, 3, 4])
    #expect(log.values.map(\.cause) == [.caller, .caller, .dispatch(2), .dispatch(3)])
    #expect(log.values.map(\.source.line).suffix(2) == [line, line + 1])
    #expect(
      log.values.last?.description
        == "dispatch #4 at MiddlewareTests/ItemFollowUpTests.swift:\(line + 1), while handling #3")
  }
}
