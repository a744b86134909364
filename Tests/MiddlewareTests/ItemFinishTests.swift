import Middleware
import Store
import TestSupport
import Testing

/// What `finish()` waits for when items send actions, at once or later.
@Suite(.timeLimit(.minutes(5)))
struct ItemFinishTests {
  /// Keeps the dispatch function of every note that begins with "keep".
  private let kept = Box<[DispatchFunction]>([])
  private var keeping: MiddlewareItem {
    .on(Note.self) { [kept] note, dispatch in
      if note.text.hasPrefix("keep") { kept.value.append(dispatch) }
    }
  }

  /// Starts waiting; the recorder has a value when that is over.
  private func finishing(_ handle: DispatchHandle) -> (Task<Void, Never>, Recorder<Bool>) {
    let over = Recorder<Bool>()
    let task = startedTask {
      await handle.finish()
      over.record(true)
    }
    return (task, over)
  }

  @Test func `S16: finish waits while an item's dispatch function is kept`() async {
    let store = makeJournal(items: [keeping])
    let (waiting, over) = finishing(store.dispatch(Note("keep")))
    #expect(over.count == 0)

    kept.exchange([])

    await waiting.value
  }

  @Test func `S16: finish waits for what is sent through a kept dispatch function, and so on`()
    async
  {
    // Given three generations, each sent through what the one before kept
    let store = makeJournal(items: [keeping])
    let (waiting, over) = finishing(store.dispatch(Note("keep 1")))
    for generation in 2...3 {
      let before = kept.exchange([])
      before.first?(Note("keep \(generation)"))
    }
    #expect(store.state.notes == ["keep 1", "keep 2", "keep 3"])
    #expect(over.count == 0, "the third generation is still at work")

    // When
    kept.exchange([])

    // Then
    await waiting.value
  }

  @Test func `S16: the handle of a later generation does not wait for an earlier one`() async {
    let store = makeJournal(items: [keeping])
    store.dispatch(Note("keep 1"))
    guard let second = kept.value.first?(Note("keep 2")) else {
      Issue.record("the item was not called")
      return
    }
    let (waiting, over) = finishing(second)
    #expect(over.count == 0)

    kept.value = Array(kept.value.prefix(1))

    await waiting.value
    #expect(kept.value.count == 1)
  }

  @Test(arguments: [true, false])
  func `S16: finish waits for what a link sent while it handled the action`(before: Bool) async {
    // Given a link that sends before or after it passes the action on
    let store = makeJournal(middleware: [
      Middleware { action, context, next in
        guard action is Increment else { return next(action) }
        if before { context.dispatch(Note("keep")) }
        let result = next(action)
        if !before { context.dispatch(Note("keep")) }
        return result
      },
      createMiddleware(items: [keeping, .on(Increment.self) { _, _ in }]),
    ])

    // When
    let (waiting, over) = finishing(store.dispatch(Increment()))

    // Then
    #expect(over.count == 0)
    kept.exchange([])
    await waiting.value
  }

  @Test func `S16: finish waits for what another thread followed up before dispatch returned`()
    async
  {
    // Given a link that holds its action after the commit, until another thread has followed up
    let (committed, followedUp) = (ThreadGate(), ThreadGate())
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        let result = next(action)
        guard action is Increment else { return result }
        committed.open()
        #expect(followedUp.wait())
        return result
      },
      createMiddleware(items: [
        keeping,
        .on(Increment.self) { _, dispatch in dispatch(Note("keep")) },
        .on(Note.self) { note, _ in if note.text == "keep" { followedUp.open() } },
      ]),
    ])
    async let handle = runOnThread { store.dispatch(Increment()) }

    // When
    await runOnThread {
      #expect(committed.wait())
      store.dispatch(Unheard())
    }
    let (waiting, over) = await finishing(handle)

    // Then
    #expect(over.count == 0)
    kept.exchange([])
    await waiting.value
  }

  @Test func `S16: what an observer sends is not waited for`() async {
    let store = makeJournal(items: [keeping, .on(Increment.self) { _, _ in }])
    let subscription = store.subscribe(\.count, initial: false) { _ in
      store.dispatch(Note("keep"))
    }

    await store.dispatch(Increment()).finish()

    #expect(kept.value.count == 1)
    subscription.cancel()
  }

  @Test func `S16: a cancelled waiter returns early and cancels nothing`() async {
    // Given
    let store = makeJournal(items: [keeping])
    let handle = store.dispatch(Note("keep"))
    let (waiting, over) = finishing(handle)
    #expect(over.count == 0)

    // When
    waiting.cancel()
    await waiting.value

    // Then what was kept still works, and is still waited for
    let (again, stillOver) = finishing(handle)
    #expect(stillOver.count == 0)
    kept.value.first?(Increment())
    #expect(store.state.count == 1)
    kept.exchange([])
    await again.value
  }

  @Test func `S16: finish returns when the store is gone and with it those who worked`() async {
    var store: Store<Journal>? = makeJournal(items: [keeping])
    guard let handle = store?.dispatch(Note("keep")) else { return }
    let (waiting, over) = finishing(handle)
    store = nil
    #expect(over.count == 0)
    kept.exchange([])
    await waiting.value
  }

  @Test func `S16: a finished ancestor that nobody holds a handle to is forgotten`() async {
    // Given a chain of generations of which each is alive when it sends the next one
    struct Tick: Action { let number: Int }
    let alive = Box<[Weak]>([])
    let most = Box(0)
    let store = Store(
      initialState: 0, reducer: .on(Tick.self) { $0 = $1.number },
      middleware: [
        Middleware(followers: { store in
          [
            Following(Tick.self) { tick, identity, lineage in
              alive.value = alive.value.filter { $0.lineage != nil } + [Weak(lineage)]
              most.value = max(most.value, alive.value.count)
              guard tick.number < 10_000 else { return }
              let sender = Sender(handling: identity, lineage: lineage)
              _ = store.send(Tick(number: tick.number + 1), SourceLine(), sender)
            }
          ]
        })
      ])

    // When
    await store.dispatch(Tick(number: 1)).finish()

    // Then no more are alive at once than the first, which its own dispatch watches, the one that
    // sends and the one that is being released
    #expect(store.state == 10_000)
    #expect(most.value <= 3)
  }
}

private final class Weak: Sendable {
  weak let lineage: Lineage?
  init(_ lineage: Lineage) { self.lineage = lineage }
}

/// A follower as other modules write them, which sees the lineage of each action it follows.
private final class Following<A: Action>: Follower {
  typealias Handle = @Sendable (A, DispatchIdentity, Lineage) -> Void
  let handle: Handle

  init(_ type: A.Type, _ handle: @escaping Handle) { self.handle = handle }

  func handler(for type: any Action.Type) -> FollowUpHandler? {
    guard type == A.self else { return nil }
    return FollowUpHandler { [handle] action, identity in
      guard let action = action as? A else { return nil }
      return FollowUpCall { lineage in handle(action, identity, lineage) }
    }
  }

  func inBackground() -> any Follower { self }

  func silence(
    workFor completion: Completion?, starting starts: inout [any FollowUp]
  ) -> [@Sendable () -> Void] { [] }

  func storeWillEnd() {}
}
