import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct IdentityTests {
  /// Records the identity of each dispatch, outermost first.
  private func identifying(_ log: Recorder<DispatchIdentity>) -> Middleware<Journal> {
    Middleware { action, context, next in
      log.record(context.identity)
      return next(action)
    }
  }

  @Test func `S15: dispatches are numbered from 1, by the caller, with their line`() {
    let log = Recorder<DispatchIdentity>()
    let store = makeJournal(middleware: [identifying(log)])

    store.dispatch(Increment())
    let line: UInt = #line - 1
    store.dispatch(Unheard())

    #expect(log.values.map(\.number) == [1, 2])
    #expect(log.values.map(\.cause) == [.caller, .caller])
    #expect(log.values.map(\.source.line) == [line, line + 2])
    #expect(log.values.first?.source.description == "StoreTests/IdentityTests.swift:\(line)")
  }

  @Test func `S15: what a link sends names the dispatch it was handling and the link's line`() {
    // Given
    let log = Recorder<DispatchIdentity>()
    let line: UInt = #line + 4
    let store = makeJournal(middleware: [
      identifying(log),
      Middleware { action, context, next in
        if action is Increment { context.dispatch(Note("sent")) }
        return next(action)
      },
    ])

    // When
    store.dispatch(Unheard())
    store.dispatch(Increment())

    // Then
    #expect(log.values.map(\.number) == [1, 2, 3])
    #expect(log.values.map(\.cause) == [.caller, .caller, .dispatch(2)])
    #expect(log.values.last?.source.line == line)
  }

  @Test func `S15: an observer's dispatch is one by a caller`() {
    let log = Recorder<DispatchIdentity>()
    let store = makeJournal(middleware: [identifying(log)])
    let subscription = store.subscribe(\.count, initial: false) { _ in store.dispatch(Note("A")) }

    store.dispatch(Increment())

    #expect(log.values.map(\.cause) == [.caller, .caller])
    subscription.cancel()
  }

  @Test func `S15: a delayed action keeps its identity`() {
    let log = Recorder<DispatchIdentity>()
    let kept = Box<Next<Journal>?>(nil)
    let store = makeJournal(middleware: [
      Middleware { _, _, next in
        kept.value = next
        return .swallowed
      },
      identifying(log),
    ])
    store.dispatch(Increment())
    let line: UInt = #line - 1

    kept.value?(Increment())

    #expect(log.values.map(\.number) == [1])
    #expect(log.values.map(\.source.line) == [line])
  }

  @Test func `S15: no two dispatches of four threads share a number`() async {
    let log = Recorder<DispatchIdentity>()
    let store = makeJournal(middleware: [identifying(log)])

    await runOnThreads(4) { _ in
      for _ in 0..<500 { store.dispatch(Increment()) }
    }

    #expect(log.values.map(\.number).sorted() == Array(1...2_000))
  }

  @Test func `S15: an identity describes itself with number, line and cause`() {
    let log = Recorder<DispatchIdentity>()
    let store = makeJournal(middleware: [
      identifying(log),
      Middleware { action, context, next in
        if action is Increment { context.dispatch(Unheard(), fileID: "App/Link.swift", line: 9) }
        return next(action)
      },
    ])

    store.dispatch(Increment(), fileID: "App/View.swift", line: 7)

    #expect(
      log.values.map(\.description) == [
        "dispatch #1 at App/View.swift:7",
        "dispatch #2 at App/Link.swift:9, while handling #1",
      ])
  }
}
