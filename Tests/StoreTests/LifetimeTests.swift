import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LifetimeTests {
  private struct Held: Sendable {
    var probe: DeinitProbe?
    var count = 0
  }

  @Test func `S9: a kept next does nothing once the store is gone`() {
    let kept = Box<Next<Journal>?>(nil)
    var store: Store<Journal>? = makeJournal(middleware: [
      Middleware { action, _, next in
        kept.value = next
        return next(action)
      }
    ])
    store?.dispatch(Increment())
    store = nil

    let (result, count) = kept.value?(Increment(), reading: \.count) ?? (.reduced(commit: 0), 0)
    #expect(kept.value?(Increment()) == .swallowed)
    #expect(result == .swallowed)
    #expect(count == nil)
  }

  @Test func `S9: a kept context has no state and sends nothing once the store is gone`() async {
    let kept = Box<LinkContext<Journal>?>(nil)
    var store: Store<Journal>? = makeJournal(middleware: [
      Middleware { action, context, next in
        kept.value = context
        return next(action)
      }
    ])
    store?.dispatch(Increment())
    #expect(kept.value?.state?.count == 1)
    store = nil

    #expect(kept.value?.state == nil)
    #expect(kept.value?.identity.number == 1)
    await kept.value?.dispatch(Increment()).finish()
  }

  @Test func `S9: a handle of a store that is gone has nothing to wait for`() async {
    var store: Store<Journal>? = makeJournal(middleware: [
      Middleware { action, _, next in next(action) }
    ])
    let handle = store?.dispatch(Increment())
    store = nil
    await handle?.finish()
  }

  @Test func `S10: dropping the last reference frees the store and all it holds`() {
    // Given a store that has been used, with a probe in everything it holds
    let freed = Recorder<String>()
    func probe(_ name: String) -> DeinitProbe { DeinitProbe { freed.record(name) } }
    var store: Store<Held>?
    var token: StoreSubscription?
    weak var observed: Store<Held>?
    do {
      let (reducer, link, observer) = (probe("reducer"), probe("link"), probe("observer"))
      let selector = probe("selector")
      store = Store(
        initialState: Held(probe: probe("state")),
        reducer: .on(Increment.self) { held, _ in
          _ = reducer
          held.count += 1
        },
        middleware: [
          Middleware { action, _, next in
            _ = link
            return next(action)
          }
        ])
      observed = store
      token = store?.subscribe({ held in
        _ = selector
        return held.count
      }) { _ in _ = observer }
      store?.dispatch(Increment())
    }
    #expect(freed.values == [])

    // When
    store = nil

    // Then all of it is free, though somebody still holds the token of the subscription
    #expect(observed == nil)
    #expect(Set(freed.values) == ["state", "reducer", "link", "observer", "selector"])
    #expect(freed.count == 5)
    token?.cancel()
  }

  @Test func `S10: what an observer captured is released when it is cancelled, not under the lock`()
  {
    // Given
    let store = makeJournal()
    let seen = Recorder<Int>()
    func subscribe() -> StoreSubscription {
      let probe = DeinitProbe { seen.record(store.state.count) }
      return store.subscribe({ journal in
        _ = probe
        return journal.count
      }) { _ in }
    }
    let subscription = subscribe()
    store.dispatch(Increment())
    #expect(seen.values == [])

    // When
    subscription.cancel()

    // Then the probe could read the state, which fails the test if the store is locked
    #expect(seen.values == [1])
  }

  @Test func `S10: a store released by its own observer lives until the dispatch returns`() {
    // Given
    let freed = Recorder<String>()
    let told = Recorder<String>()
    let owner = Box<Store<Held>?>(nil)
    owner.value = Store(
      initialState: Held(probe: DeinitProbe { freed.record("state") }),
      reducer: .on(Increment.self) { held, _ in held.count += 1 })
    let subscriptions = [
      owner.value?.subscribe(\.count, initial: false) { count in
        let store = owner.exchange(nil)
        if count == 1 { store?.dispatch(Increment()) }
        told.record("first \(count)")
      },
      owner.value?.subscribe(\.count, initial: false) { count in
        told.record("second \(count), freed \(freed.count)")
      },
    ]

    // When
    owner.value?.dispatch(Increment())

    // Then
    #expect(
      told.values == ["first 1", "second 1, freed 0", "first 2", "second 2, freed 0"])
    #expect(freed.values == ["state"])
    subscriptions.forEach { $0?.cancel() }
  }

  @Test func `S10: a store released while another thread dispatches lives until that returns`()
    async
  {
    // Given a thread that is held inside an observer
    let freed = Recorder<String>()
    let owner = Box<Store<Held>?>(
      Store(
        initialState: Held(probe: DeinitProbe { freed.record("state") }),
        reducer: .on(Increment.self) { held, _ in held.count += 1 }))
    let (entered, mayLeave) = (ThreadGate(), ThreadGate())
    let subscription = owner.value?.subscribe(\.count, initial: false) { _ in
      entered.open()
      #expect(mayLeave.wait())
    }
    async let dispatching: Void = runOnThread {
      owner.value?.dispatch(Increment())
      return ()
    }
    #expect(await runOnThread { entered.wait() })

    // When
    owner.exchange(nil)

    // Then
    #expect(freed.values == [])
    mayLeave.open()
    await dispatching
    #expect(freed.values == ["state"])
    subscription?.cancel()
  }

  @Test func `S10: stores released while threads use them are freed, each once`() async {
    let freed = Box(0)
    for _ in 0..<200 {
      let owner = Box<Store<Held>?>(
        Store(
          initialState: Held(probe: DeinitProbe { freed.value += 1 }),
          reducer: .on(Increment.self) { held, _ in held.count += 1 },
          middleware: [Middleware { action, _, next in next(action) }]))
      await runOnThreads(3) { thread in
        guard thread > 0 else {
          owner.exchange(nil)
          return
        }
        let subscription = owner.value?.subscribe(\.count) { _ in }
        for _ in 0..<10 { owner.value?.dispatch(Increment()) }
        subscription?.cancel()
      }
    }
    #expect(freed.value == 200)
  }

  @Test func `S10: a store that its state refers to weakly is freed as well`() {
    final class Weak: Sendable {
      weak let store: Store<Held>?
      init(_ store: Store<Held>) { self.store = store }
    }
    struct Attach: Action { let probe: DeinitProbe }
    let sawStore = Recorder<Bool>()
    do {
      let store = Store(
        initialState: Held(),
        reducer: .on(Attach.self) { held, attach in held.probe = attach.probe })
      let weak = Weak(store)
      store.dispatch(Attach(probe: DeinitProbe { sawStore.record(weak.store != nil) }))
    }
    #expect(sawStore.values == [false])
  }
}

extension LifetimeTests {
  @Test func `S10: a link that keeps its next does not keep itself, nor the other links`() {
    // Given a link that remembers its last `next`, as one that delays does
    let freed = Recorder<String>()
    do {
      let (kept, probe) = (Box<Next<Journal>?>(nil), DeinitProbe { freed.record("kept") })
      let other = DeinitProbe { freed.record("other") }
      let store = makeJournal(middleware: [
        Middleware { action, _, next in
          kept.value = next
          return withExtendedLifetime(probe) { next(action) }
        },
        Middleware { action, _, next in withExtendedLifetime(other) { next(action) } },
      ])
      store.dispatch(Increment())
      #expect(freed.values == [])
    }
    // Then both end with the store
    #expect(freed.values.sorted() == ["kept", "other"])
  }

  @Test func `S6: observers that come and go on four threads are all removed`() async {
    // Given
    let store = makeJournal()
    let freed = Recorder<Int>()
    // When
    await runOnThreads(4) { thread in
      for _ in 0..<2_000 {
        let probe = DeinitProbe { freed.record(thread) }
        let subscription = store.subscribe({ journal in
          withExtendedLifetime(probe) { journal.count }
        }) { _ in }
        subscription.cancel()
      }
    }
    // Then nothing of them is left
    #expect(freed.count == 8_000)
  }

  @Test func `S8: a token that a reducer releases is diagnosed, and its observer is removed`() {
    // Given an observer whose token is in the hands of a reducer
    struct Drop: Action {}
    let reports = Recorder<Diagnostic>()
    let freed = Recorder<Int>()
    let token = Box<StoreSubscription?>(nil)
    let store = Store(
      initialState: 0,
      reducer: .combine(
        .on(Drop.self) { _, _ in token.value = nil }, .on(Increment.self) { count, _ in count += 1 }
      ),
      diagnostics: { reports.record($0) })
    let told = Recorder<Int>()
    do {
      let probe = DeinitProbe { freed.record(0) }
      token.value = store.subscribe({ count in withExtendedLifetime(probe) { count } }) {
        told.record($0)
      }
    }
    // When
    store.dispatch(Drop())
    store.dispatch(Increment())
    // Then
    #expect(reports.count == 1)
    #expect(told.values == [0])
    #expect(freed.count == 1)
  }
}
