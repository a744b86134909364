import Store
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ObservationTests {
  @Test func `S5: every change of a selection is told once, in order`() {
    let store = makeJournal()
    let told = Recorder<Int>()
    let subscription = store.subscribe(\.count) { told.record($0) }

    store.dispatch(Increment())
    store.dispatch(Note("changes something else"))
    store.dispatch(Increment())

    #expect(told.values == [0, 1, 2])
    subscription.cancel()
  }

  @Test func `S5: a value is compared with the one last queued, not with the one last told`() {
    // Given an observer that undoes the change before the next one was told of it
    struct Set: Action { let value: Int }
    let store = Store(initialState: 0, reducer: .on(Set.self) { $0 = $1.value })
    let told = Recorder<Int>()
    let undoing = store.subscribe({ $0 }, initial: false) { value in
      if value == 1 { store.dispatch(Set(value: 0)) }
    }
    let watching = store.subscribe({ $0 }) { told.record($0) }

    // When
    store.dispatch(Set(value: 1))

    // Then
    #expect(told.values == [0, 1, 0])
    undoing.cancel()
    watching.cancel()
  }

  @Test func `S5: dispatching observers give no observer a value twice or out of order`() {
    // ReSwift tells [42, 42] or [100, 42] here, as its set of subscribers happens to be ordered.
    struct Set: Action { let value: Int }
    let store = Store(initialState: 0, reducer: .on(Set.self) { $0 = $1.value })
    let (before, after) = (Recorder<Int>(), Recorder<Int>())
    let subscriptions = [
      store.subscribe({ $0 }, initial: false) { before.record($0) },
      store.subscribe({ $0 }, initial: false) { if $0 == 100 { store.dispatch(Set(value: 42)) } },
      store.subscribe({ $0 }, initial: false) { after.record($0) },
    ]

    store.dispatch(Set(value: 100))

    #expect(before.values == [100, 42])
    #expect(after.values == [100, 42])
    subscriptions.forEach { $0.cancel() }
  }

  @Test func `S5: a selection is computed once a commit, and not for actions nobody reduces`() {
    let store = makeJournal()
    let calls = Box(0)
    let subscription = store.subscribe({ journal in
      calls.value += 1
      return journal.count
    }) { _ in }
    #expect(calls.value == 1)

    store.dispatch(Increment())
    #expect(calls.value == 2)
    store.dispatch(Note("also a commit"))
    #expect(calls.value == 3)
    store.dispatch(Unheard())
    #expect(calls.value == 3)
    subscription.cancel()
  }

  @Test func `S5: with four threads dispatching each observer is told every value, rising`() async {
    // Given two observers, so that a pass can be interrupted between them
    let store = makeJournal()
    let (first, second) = (Recorder<Int>(), Recorder<Int>())
    let subscriptions = [
      store.subscribe(\.count) { first.record($0) },
      store.subscribe(\.count) { second.record($0) },
    ]

    // When
    await runOnThreads(4) { _ in
      for _ in 0..<2_500 { store.dispatch(Increment()) }
    }
    await store.idle()

    // Then
    #expect(first.values == Array(0...10_000))
    #expect(second.values == Array(0...10_000))
    subscriptions.forEach { $0.cancel() }
  }

  @Test func `S5: an observer of the whole state is told each action that a reducer handled`() {
    let store = makeJournal()
    let told = Recorder<Journal>()
    let subscription = store.subscribe { told.record($0) }

    store.dispatch(Increment())
    store.dispatch(Unheard())
    store.dispatch(Note("A"))

    #expect(
      told.values == [Journal(), Journal(count: 1), Journal(count: 1, notes: ["A"])])
    subscription.cancel()
  }

  @Test func `S6: observers are called in the order they subscribed`() {
    let store = makeJournal()
    let order = Recorder<Int>()
    let subscriptions = (0..<10).map { number in
      store.subscribe(\.count, initial: false) { _ in order.record(number) }
    }

    store.dispatch(Increment())

    #expect(order.values == Array(0..<10))
    subscriptions.forEach { $0.cancel() }
  }

  @Test func `S6: the order survives when most of a hundred observers leave`() {
    let store = makeJournal()
    let order = Recorder<Int>()
    var subscriptions = (0..<100).map { number in
      store.subscribe(\.count, initial: false) { _ in order.record(number) }
    }
    for number in 0..<100 where !number.isMultiple(of: 7) { subscriptions[number].cancel() }
    subscriptions.append(store.subscribe(\.count, initial: false) { _ in order.record(100) })

    store.dispatch(Increment())
    #expect(order.values == Array(stride(from: 0, to: 100, by: 7)) + [100])

    subscriptions[14].cancel()
    store.dispatch(Increment())
    #expect(
      order.values.dropFirst(16)
        == (Array(stride(from: 0, to: 100, by: 7)) + [100]).filter { $0 != 14 }[...]
    )
  }

  @Test func `S6: an observer cancelled in the middle of a pass is not called any more`() {
    // Given
    let store = makeJournal()
    let told = Recorder<Int>()
    let later = Box<StoreSubscription?>(nil)
    let cancelling = store.subscribe(\.count, initial: false) { _ in later.value?.cancel() }
    later.value = store.subscribe(\.count, initial: false) { told.record($0) }

    // When
    store.dispatch(Increment())
    store.dispatch(Increment())

    // Then
    #expect(told.values == [])
    cancelling.cancel()
  }

  @Test func `S6: an observer that cancels itself is not called again for what is queued`() {
    // Given an action queued behind the one being told
    let store = makeJournal()
    let told = Recorder<Int>()
    let own = Box<StoreSubscription?>(nil)
    own.value = store.subscribe(\.count, initial: false) { count in
      told.record(count)
      store.dispatch(Increment())
      own.value?.cancel()
    }

    // When
    store.dispatch(Increment())

    // Then
    #expect(store.state.count == 2)
    #expect(told.values == [1])
  }

  @Test func `S6: releasing the token ends the subscription`() {
    let store = makeJournal()
    let told = Recorder<Int>()
    var subscription: StoreSubscription? = store.subscribe(\.count, initial: false) {
      told.record($0)
    }
    store.dispatch(Increment())
    #expect(subscription != nil)

    subscription = nil
    store.dispatch(Increment())

    #expect(told.values == [1])
  }

  @Test func `S6: cancelling twice, or after the store is gone, is no error`() {
    var store: Store<Journal>? = makeJournal()
    let subscription = store?.subscribe(\.count) { _ in }
    subscription?.cancel()
    subscription?.cancel()
    let another = store?.subscribe(\.count) { _ in }
    store = nil
    another?.cancel()
  }

  @Test func `S6: one added during a pass gets its initial value once, then every later one`() {
    // Given an observer that adds another and changes the state before it returns
    let store = makeJournal()
    let told = Recorder<Int>()
    let added = Box<StoreSubscription?>(nil)
    let adding = store.subscribe(\.count, initial: false) { count in
      guard count == 1 else { return }
      added.value = store.subscribe(\.count) { told.record($0) }
      #expect(told.values == [], "the initial value comes through the queue")
      store.dispatch(Increment())
    }

    // When
    store.dispatch(Increment())
    store.dispatch(Increment())

    // Then
    #expect(told.values == [1, 2, 3])
    adding.cancel()
    added.value?.cancel()
  }

  @Test func `S6: without the initial value an observer is told changes only`() {
    let store = makeJournal()
    store.dispatch(Increment())
    let (changes, all) = (Recorder<Int>(), Recorder<Int>())
    let subscriptions = [
      store.subscribe(\.count, initial: false) { changes.record($0) },
      store.subscribe(\.count) { all.record($0) },
    ]
    #expect(changes.values == [])
    #expect(all.values == [1])

    store.dispatch(Increment())

    #expect(changes.values == [2])
    #expect(all.values == [1, 2])
    subscriptions.forEach { $0.cancel() }
  }

  @Test func `S6: a whole-state observer without the initial value is told changes only`() {
    let store = makeJournal()
    let told = Recorder<Int>()
    let subscription = store.subscribe(initial: false) { told.record($0.count) }

    store.dispatch(Increment())

    #expect(told.values == [1])
    subscription.cancel()
  }

  @Test func `S6: subscriptions that come and go on other threads disturb no one`() async {
    // Given one observer that stays
    let store = makeJournal()
    let told = Recorder<Int>()
    let staying = store.subscribe(\.count, initial: false) { told.record($0) }
    let late = Recorder<String>()

    // When two threads dispatch and two subscribe and cancel
    await runOnThreads(4) { thread in
      for _ in 0..<2_000 {
        guard thread >= 2 else {
          store.dispatch(Increment())
          continue
        }
        let last = Box(-1)
        let subscription = store.subscribe(\.count) { count in
          let before = last.exchange(count)
          if before >= count { late.record("\(count) after \(before)") }
        }
        subscription.cancel()
      }
    }
    await store.idle()

    // Then
    #expect(told.values == Array(1...4_000))
    #expect(late.values == [])
    staying.cancel()
  }
}
