import Store
import TestSupport
import Testing

/// Subscriptions of objects, which the store holds weakly.
@Suite(.timeLimit(.minutes(5)))
struct ObjectSubscriptionTests {
  /// An object that remembers what it was told, and says when it is released.
  private final class Label: Sendable {
    let told = Recorder<String>()
    private let probe: DeinitProbe

    init(onDeinit: @escaping @Sendable () -> Void = {}) { probe = DeinitProbe(onDeinit) }

    func show(_ value: some Sendable) { told.record("\(value)") }
  }

  @Test func `S11: a subscription does not keep its object, and ends with it`() {
    // Given an object with a subscription whose closure holds a probe
    let (freed, ended) = (Gate(), Gate())
    let store = makeJournal()
    var label: Label? = Label(onDeinit: { freed.open() })
    if let label {
      let probe = DeinitProbe { ended.open() }
      store.subscribe(label, \.count) { label, count in
        _ = probe
        label.show(count)
      }
    }

    // When its last reference goes
    label = nil

    // Then it is freed at once, and its subscription with the next value
    #expect(freed.isOpen)
    store.dispatch(Increment())
    #expect(ended.isOpen)
  }

  @Test func `S11: an object may have several subscriptions of every kind, told in their order`() {
    let store = makeJournal()
    let label = Label()
    store.subscribe(label, \.count) { $0.show("count \($1)") }
    store.subscribe(label, { $0.notes }, by: { $0.count == $1.count }) { $0.show("notes \($1)") }
    store.subscribe(label, changesOf: \.count) {
      $0.show("change \($1.old.map(String.init) ?? "nil") to \($1.new)")
    }
    store.subscribe(label, \.count, initial: false) { $0.show("later \($1)") }
    #expect(label.told.values == ["count 0", "notes []", "change nil to 0"])

    store.dispatch(Increment())

    #expect(label.told.values.dropFirst(3) == ["count 1", "change 0 to 1", "later 1"])
  }

  @Test func `S11: unsubscribing ends all subscriptions of the object and no other's`() {
    let store = makeJournal()
    let (leaving, staying) = (Label(), Label())
    for label in [leaving, staying, leaving] {
      store.subscribe(label, \.count, initial: false) { $0.show($1) }
    }

    store.unsubscribe(leaving)
    store.dispatch(Increment())

    #expect(leaving.told.values == [])
    #expect(staying.told.values == ["1"])
  }

  @Test func `S11: unsubscribing an object twice, or one that never subscribed, is no error`() {
    let store = makeJournal()
    let (label, unknown) = (Label(), Label())
    store.unsubscribe(unknown)
    store.subscribe(label, \.count, initial: false) { $0.show($1) }
    store.unsubscribe(unknown)
    store.dispatch(Increment())
    store.unsubscribe(label)
    store.unsubscribe(label)
    store.dispatch(Increment())

    #expect(label.told.values == ["1"])
  }

  @Test func `S11: none of an object's calls begins after unsubscribe in the middle of a pass`() {
    // Given an observer that unsubscribes an object which is to be told next, with one more value
    // queued for it
    let store = makeJournal()
    let label = Label()
    let unsubscribing = store.subscribe(\.count, initial: false) { count in
      if count == 1 {
        store.dispatch(Increment())
        store.unsubscribe(label)
      }
    }
    store.subscribe(label, \.count, initial: false) { $0.show($1) }
    store.subscribe(label, changesOf: \.count, initial: false) { $0.show($1.new) }

    // When
    store.dispatch(Increment())

    // Then
    #expect(label.told.values == [])
    unsubscribing.cancel()
  }

  @Test func `S11: an object may unsubscribe itself while it is told, also its initial value`() {
    let store = makeJournal()
    let (first, second) = (Label(), Label())
    store.subscribe(first, \.count) { [unowned store] label, count in
      label.show(count)
      store.unsubscribe(label)
    }
    store.subscribe(second, \.count, initial: false) { [unowned store] label, count in
      label.show(count)
      store.dispatch(Increment())
      store.unsubscribe(label)
    }

    store.dispatch(Increment())

    #expect(store.state.count == 2)
    #expect(first.told.values == ["0"])
    #expect(second.told.values == ["1"])
  }

  @Test func `S11: an object may subscribe again while it is told its initial value`() {
    let store = makeJournal()
    let label = Label()
    store.subscribe(label, \.count) { [unowned store] label, count in
      label.show("count \(count)")
      if count == 0 {
        store.subscribe(label, \.notes.count) { $0.show("notes \($1)") }
        #expect(label.told.values == ["count 0"], "the initial value comes through the queue")
      }
    }
    #expect(label.told.values == ["count 0", "notes 0"])

    store.dispatch(Increment())
    store.dispatch(Note("A"))
    store.unsubscribe(label)
    store.dispatch(Increment())

    #expect(label.told.values == ["count 0", "notes 0", "count 1", "notes 1"])
  }

  @Test func `S11: an object may leave and come back while it is told its initial value`() {
    let store = makeJournal()
    let label = Label()
    store.subscribe(label, \.count) { [unowned store] label, count in
      label.show("first \(count)")
      store.unsubscribe(label)
      store.subscribe(label, \.count) { $0.show("second \($1)") }
    }

    store.dispatch(Increment())

    #expect(label.told.values == ["first 0", "second 0", "second 1"])
  }

  @Test func `S11: an object released between queueing and delivery is not told`() {
    // Given an object that goes while an earlier observer is told the same action
    let store = makeJournal()
    let calls = Recorder<Int>()
    let freed = Gate()
    let held = Box<Label?>(Label(onDeinit: { freed.open() }))
    let releasing = store.subscribe(\.count, initial: false) { _ in held.exchange(nil) }
    if let label = held.value {
      store.subscribe(label, \.count, initial: false) { _, count in calls.record(count) }
    }

    // When
    store.dispatch(Increment())

    // Then
    #expect(freed.isOpen)
    #expect(calls.values == [])
    releasing.cancel()
  }

  @Test func `S11: the deinit of an object may call the store, also as the last of a delivery`() {
    // Given an object that only the delivery holds when it returns
    let store = makeJournal()
    let held = Box<Label?>(nil)
    held.value = Label(onDeinit: { [unowned store] in
      store.dispatch(Note("gone"))
      store.subscribe(\.count) { _ in }.cancel()
    })
    if let label = held.value {
      store.subscribe(label, \.count, initial: false) { _, _ in held.exchange(nil) }
    }

    // When
    store.dispatch(Increment())

    // Then
    #expect(store.state == Journal(count: 1, notes: ["gone"]))
  }

  @Test func `S11: a deinit may unsubscribe the object`() {
    final class Leaving: Sendable {
      let store: Store<Journal>
      init(_ store: Store<Journal>) { self.store = store }
      deinit { store.unsubscribe(self) }
    }
    let store = makeJournal()
    let ended = Gate()
    do {
      let probe = DeinitProbe { ended.open() }
      store.subscribe(Leaving(store), \.count) { _, _ in _ = probe }
    }

    #expect(ended.isOpen)
  }

  @Test func `S11: subscribing or unsubscribing an object in a reducer is diagnosed and ignored`() {
    // Given
    let reports = Recorder<String>()
    let itself = Box<Store<Int>?>(nil)
    let (label, subscribed) = (Label(), Label())
    let store = Store(
      initialState: 0,
      reducer: Reducer<Int>.on(Increment.self) { count, _ in
        count += 1
        guard count == 1 else { return }
        itself.value?.subscribe(label, { $0 }) { $0.show($1) }
        itself.value?.unsubscribe(subscribed)
      }, diagnostics: { reports.record("\($0)") })
    itself.value = store
    store.subscribe(subscribed, { $0 }, initial: false) { $0.show($1) }

    // When
    store.dispatch(Increment())
    store.dispatch(Increment())

    // Then
    #expect(reports.count == 2)
    #expect(reports.values.first?.hasPrefix("`subscribe` was called on a store from") == true)
    #expect(reports.values.last?.hasPrefix("`unsubscribe` was called on a store from") == true)
    #expect(label.told.values == [])
    #expect(subscribed.told.values == ["1", "2"])
    itself.value = nil
  }

  @Test func `S11: an object subscribes for itself, also where one that is gone was in memory`() {
    // Given subscriptions of objects of which each is released before the next is made, so that many
    // have the same address
    let store = makeJournal()
    for _ in 0..<100 { store.subscribe(Label(), \.count) { $0.show($1) } }

    // When the last object of that kind subscribes and leaves
    let label = Label()
    store.subscribe(label, \.count) { $0.show($1) }
    store.dispatch(Increment())
    store.unsubscribe(label)
    store.dispatch(Increment())

    // Then it was told, and left as any other
    #expect(label.told.values == ["0", "1"])
  }

  @Test(arguments: [1, 100])
  func `S11: 10,000 short-lived objects leave nothing, though nothing is told`(alive: Int) {
    // Given a probe in each subscription
    let store = makeJournal()
    let freed = Recorder<Void>()
    var labels: [Label] = []

    // When 10,000 objects subscribe, a few of them alive at a time, and no action comes
    for _ in 0..<10_000 {
      let label = Label()
      let probe = DeinitProbe { freed.record(()) }
      store.subscribe(label, \.count, initial: false) { _, _ in _ = probe }
      labels.append(label)
      if labels.count == alive { labels = [] }
    }

    // Then there are no more than were alive at once, and those gone since the store last looked
    #expect(freed.count >= 10_000 - max(33, 2 * alive + 1))
  }

  @Test func `S11: objects that come and go on four threads are told or gone, and leave nothing`()
    async
  {
    // Given
    let store = makeJournal()
    let (subscribed, freed, late) = (2_000, Recorder<Void>(), Recorder<String>())

    // When two threads dispatch, and two let objects subscribe, of which every other unsubscribes
    await runOnThreads(4) { thread in
      for round in 0..<subscribed {
        guard thread >= 2 else {
          store.dispatch(Increment())
          continue
        }
        let probe = DeinitProbe { freed.record(()) }
        let last = Box(-1)
        let label = Label()
        store.subscribe(label, \.count) { _, count in
          _ = probe
          let before = last.exchange(count)
          if before >= count { late.record("\(count) after \(before)") }
        }
        if round.isMultiple(of: 2) { store.unsubscribe(label) }
      }
    }
    await store.idle()

    // Then the next value ends whatever is left
    store.dispatch(Increment())
    await store.idle()
    #expect(store.state.count == 2 * subscribed + 1)
    #expect(late.values == [])
    #expect(freed.count == 2 * subscribed)
  }

  @Test func `S11: an object subscribed to two stores leaves each by itself`() {
    let (first, second) = (makeJournal(), makeJournal())
    let label = Label()
    first.subscribe(label, \.count, initial: false) { $0.show("first \($1)") }
    second.subscribe(label, \.count, initial: false) { $0.show("second \($1)") }

    first.unsubscribe(label)
    first.dispatch(Increment())
    second.dispatch(Increment())

    #expect(label.told.values == ["second 1"])
  }
}
