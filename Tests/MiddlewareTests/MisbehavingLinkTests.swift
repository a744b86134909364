import Middleware
import Store
import TestSupport
import Testing

/// Links that nobody should write, and what comes of them.
@Suite(.timeLimit(.minutes(5)))
struct MisbehavingLinkTests {
  /// An item that says which actions reached the reducer.
  private static func following(in log: Recorder<String>) -> Middleware<Journal> {
    createMiddleware(items: [MiddlewareItem { action, _ in log.record("item \(label(action))") }])
  }

  @Test func `M1: a link that never calls next swallows every action, and the store stays idle`()
    async
  {
    let log = Recorder<String>()
    let store = makeJournal(middleware: [
      Middleware { _, _, _ in .swallowed }, Self.following(in: log),
    ])
    let subscription = store.subscribe({ $0 }, initial: false) { _ in log.record("told") }

    await store.dispatch(Increment()).finish()
    await store.dispatch(Note("A")).finish()
    await store.idle()

    #expect(store.state == Journal())
    #expect(log.values == [])
    subscription.cancel()
  }

  @Test func `M1: a link that claims a result without calling next changes nothing`() {
    let store = makeJournal(middleware: [Middleware { _, _, _ in .reduced(commit: 99) }])
    store.dispatch(Increment())
    #expect(store.state == Journal())
  }

  @Test func `M1: a link that calls next twice has the action reduced and followed up twice`() async
  {
    // Given
    let log = Recorder<String>()
    let identities = Recorder<DispatchIdentity>()
    let results = Recorder<DispatchResult>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        results.record(next(action))
        results.record(next(action))
        return .swallowed
      },
      identifying(in: identities),
      Self.following(in: log),
    ])
    let subscription = store.subscribe(\.count, initial: false) { log.record("told \($0)") }

    // When
    await store.dispatch(Increment()).finish()

    // Then
    #expect(store.state.count == 2)
    #expect(results.values == [.reduced(commit: 1), .reduced(commit: 2)])
    #expect(identities.values.map(\.number) == [1, 1])
    #expect(log.values == ["told 1", "item Increment", "told 2", "item Increment"])
    subscription.cancel()
  }

  @Test
  func `M1: a kept next passes actions on after the chain returned, as often as it is called`()
    async
  {
    // Given
    let log = Recorder<String>()
    let kept = Box<Next<Journal>?>(nil)
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        kept.value = next
        return .swallowed
      },
      Self.following(in: log),
    ])
    await store.dispatch(Increment()).finish()
    #expect(store.state.count == 0)

    // When
    kept.value?(Increment())
    await runOnThread { _ = kept.value?(Note("from another thread")) }
    await Task { _ = kept.value?(Note("from a task")) }.value
    await store.idle()

    // Then
    #expect(store.state == Journal(count: 1, notes: ["from another thread", "from a task"]))
    #expect(log.values == ["item Increment", "item from another thread", "item from a task"])
  }

  @Test func `M1: a kept next and context do nothing once the store is gone, and do not keep it`()
    async
  {
    // Given
    let kept = Box<(context: LinkContext<Journal>, next: Next<Journal>)?>(nil)
    var store: Store<Journal>? = makeJournal(middleware: [
      Middleware { action, context, next in
        kept.value = (context, next)
        return next(action)
      }
    ])
    weak let observed = store
    store?.dispatch(Increment())

    // When
    store = nil

    // Then
    #expect(observed == nil)
    #expect(kept.value?.next(Increment()) == .swallowed)
    #expect(kept.value?.next(Increment(), reading: \.count).value == nil)
    #expect(kept.value?.context.state == nil)
    await kept.value?.context.dispatch(Increment()).finish()
  }

  @Test func `M1: a link that passes another action on keeps the identity of the dispatch`() {
    let identities = Recorder<DispatchIdentity>()
    let store = makeJournal(middleware: [
      Middleware { _, _, next in next(Note("instead")) }, identifying(in: identities),
    ])

    store.dispatch(Increment())
    store.dispatch(Unheard())

    #expect(store.state == Journal(notes: ["instead", "instead"]))
    #expect(identities.values.map(\.number) == [1, 2])
    #expect(identities.values.map(\.cause) == [.caller, .caller])
  }

  @Test func `M1: a link that dispatches in a loop has each action reduced before the next one`()
    async
  {
    // Given a link that answers an increment with ten thousand notes, on a small stack
    let misplaced = Box(0)
    let told = Box(0)
    let store = makeJournal(middleware: [
      Middleware { action, context, next in
        guard action is Increment else { return next(action) }
        for number in 1...10_000 {
          context.dispatch(Note("\(number)"))
          if context.state?.notes.count != number { misplaced.value += 1 }
        }
        #expect(told.value == 0, "observers come when the chain has returned")
        return next(action)
      }
    ])
    let subscription = store.subscribe(\.notes.count, initial: false) { count in
      if told.exchange(count) != count - 1 { misplaced.value += 1 }
    }

    // When
    await runOnThread(stackSize: 128 * 1024) { _ = store.dispatch(Increment()) }

    // Then
    #expect(store.state.count == 1)
    #expect(told.value == 10_000)
    #expect(misplaced.value == 0)
    subscription.cancel()
  }

  @Test func `M1: a link that answers its own action is called depth first, until it stops`() async
  {
    // Given a link that dispatches a hundred times from within its own dispatch
    let order = Recorder<String>()
    let store = makeJournal(middleware: [
      Middleware { action, context, next in
        guard let note = action as? Note, let depth = Int(note.text) else { return next(action) }
        if depth < 100 { context.dispatch(Note("\(depth + 1)")) }
        order.record(note.text)
        return next(action)
      }
    ])

    // When; the sanitizer makes frames several times as large
    await runOnThread(stackSize: (isThreadSanitized ? 4 : 1) * 512 * 1024) {
      _ = store.dispatch(Note("1"))
    }

    // Then
    #expect(order.values == (1...100).reversed().map { "\($0)" })
    #expect(store.state.notes == order.values)
  }
}
