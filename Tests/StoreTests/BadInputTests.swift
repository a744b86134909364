import Store
import TestSupport
import Testing

/// States, comparisons, selectors and observers that do what they should not.
@Suite(.timeLimit(.minutes(5)))
struct BadInputTests {
  private struct Set: Action { var value: Int }

  /// A value whose `==` answers what its test says.
  private struct Odd: Equatable, Sendable {
    var value: Int
    var answer: @Sendable (_ first: Int, _ second: Int) -> Bool

    static func == (first: Odd, second: Odd) -> Bool { first.answer(first.value, second.value) }
  }

  /// What observers of an odd value are told, of values and of changes, when it becomes 1, 1, 2, 0.
  private func told(_ answer: @escaping @Sendable (Int, Int) -> Bool) -> [[Int]] {
    let store = Store(
      initialState: Odd(value: 0, answer: answer), reducer: .on(Set.self) { $0.value = $1.value })
    let (values, changes) = (Recorder<Int>(), Recorder<Int>())
    let subscriptions = [
      store.subscribe({ $0 }) { values.record($0.value) },
      store.subscribe(changesOf: { $0 }) { changes.record($0.new.value) },
    ]
    for value in [1, 1, 2, 0] { store.dispatch(Set(value: value)) }
    #expect(store.state.value == 0)
    subscriptions.forEach { $0.cancel() }
    return [values.values, changes.values]
  }

  @Test func `S5: values that always say they are equal are told once, when subscribing`() {
    #expect(told { _, _ in true } == [[0], [0]])
  }

  @Test func `S5: values that never say they are equal are told after each action`() {
    #expect(told { _, _ in false } == [[0, 1, 1, 2, 0], [0, 1, 1, 2, 0]])
  }

  @Test func `S5: an == that is not symmetric is asked as the last value told of the new one`() {
    #expect(told { $0 <= $1 } == [[0], [0]])
    #expect(told { $0 >= $1 } == [[0, 1, 2], [0, 1, 2]])
  }

  @Test func `S5: a number that is not a number is told after each action, since it is not equal`()
  {
    struct Measure: Action { var value: Double }
    let store = Store(initialState: 1.0, reducer: .on(Measure.self) { $0 = $1.value })
    let told = Recorder<Bool>()
    let subscription = store.subscribe({ $0 }) { told.record($0.isNaN) }
    for value in [.nan, .nan, 2, 2] { store.dispatch(Measure(value: value)) }
    #expect(told.values == [false, true, true, false])
    subscription.cancel()
  }

  /// A part of a state that is shared by all copies of it.
  private final class Shared: Sendable, Equatable {
    private let number = Box(0)
    var value: Int {
      get { number.value }
      set { number.value = newValue }
    }
    static func == (first: Shared, second: Shared) -> Bool { first.value == second.value }
  }

  @Test func `S5: a change inside an object of the state is not seen, since nothing else is there`()
  {
    // Given a state with an object that its reducer changes where it is
    struct Holder: Sendable {
      var shared = Shared()
      var count = 0
    }
    let store = Store(
      initialState: Holder(),
      reducer: .on(Set.self) { holder, action in
        holder.shared.value = action.value
        holder.count += 1
      })
    let (objects, insides, states) = (Recorder<Int>(), Recorder<Int>(), Recorder<Int>())
    let subscriptions = [
      store.subscribe(\.shared) { objects.record($0.value) },
      store.subscribe(\.shared.value) { insides.record($0) },
      store.subscribe { states.record($0.shared.value) },
    ]

    // When it changes
    store.dispatch(Set(value: 1))

    // Then who selects the object compares it with itself; who selects what is in it is told, and who
    // wants all is
    #expect(objects.values == [0])
    #expect(insides.values == [0, 1])
    #expect(states.values == [0, 1])
    subscriptions.forEach { $0.cancel() }
  }

  @Test func `S5: a value with an object in it is told as that is when it is delivered`() {
    let store = Store(
      initialState: Shared(), reducer: .on(Set.self) { $0.value = $1.value })
    let told = Recorder<Int>()
    let dispatching = store.subscribe(initial: false) { (shared: Shared) in
      if shared.value == 1 { store.dispatch(Set(value: 2)) }
    }
    let subscription = store.subscribe(initial: false) { (shared: Shared) in
      told.record(shared.value)
    }

    store.dispatch(Set(value: 1))

    #expect(told.values == [2, 2])
    dispatching.cancel()
    subscription.cancel()
  }

  @Test func `S5: a selector that blocks holds up other threads, and nothing is lost`()
    async
  {
    // Given a selector that waits until another thread is about to dispatch
    let store = makeJournal()
    let (entered, mayLeave) = (ThreadGate(), ThreadGate())
    let told = Recorder<Int>()
    let subscription = store.subscribe({ journal in
      if journal.count == 1 {
        entered.open()
        #expect(mayLeave.wait())
      }
      return journal.count
    }) { told.record($0) }

    // When
    async let first: Void = runOnThread {
      store.dispatch(Increment())
      return ()
    }
    #expect(await runOnThread { entered.wait() })
    async let second: Int = runOnThread {
      mayLeave.open()
      store.dispatch(Increment())
      return store.state.count
    }

    // Then
    #expect(await second == 2)
    await first
    await store.idle()
    #expect(told.values == [0, 1, 2])
    subscription.cancel()
  }

  @Test func `S10: an observer may release the store, which lasts to the end of the dispatch`() {
    // Given an observer that throws the last reference away, and one after it
    let freed = Recorder<String>()
    let told = Recorder<String>()
    let holder = Box<Store<Journal>?>(makeJournal())
    weak let observed = holder.value
    var tokens: [StoreSubscription] = []
    if let store = holder.value {
      let probe = DeinitProbe { freed.record("freed") }
      tokens.append(
        store.subscribe(\.count, initial: false) { count in
          holder.exchange(nil)
          told.record("first \(count)")
        })
      tokens.append(
        store.subscribe(\.count, initial: false) { count in
          _ = probe
          #expect(freed.values == [])
          told.record("second \(count)")
        })
    }

    // When
    holder.value?.dispatch(Increment())

    // Then both were told, and the store is gone
    #expect(told.values == ["first 1", "second 1"])
    #expect(observed == nil)
    #expect(freed.values == ["freed"])
    tokens = []
  }

  @Test func `S10: an observer may release the store while it is told its initial value`() {
    let holder = Box<Store<Journal>?>(makeJournal())
    weak let observed = holder.value
    let told = Recorder<Int>()
    let token = holder.value?.subscribe(\.count) { count in
      holder.exchange(nil)
      told.record(count)
    }
    #expect(told.values == [0])
    #expect(observed == nil)
    token?.cancel()
  }

  @Test func `S6: an observer may cancel those before it, after it, and all that are queued`() {
    let store = makeJournal()
    let told = Recorder<String>()
    let tokens = Box<[StoreSubscription]>([])
    let names = ["first", "second", "third"]
    tokens.value = names.map { name in
      store.subscribe(\.count, initial: false) { count in
        told.record("\(name) \(count)")
        guard name == "second" else { return }
        store.dispatch(Increment())
        tokens.value.forEach { $0.cancel() }
      }
    }

    store.dispatch(Increment())
    store.dispatch(Increment())

    #expect(told.values == ["first 1", "second 1"])
    tokens.exchange([])
  }

  @Test func `S6: an observer may throw its own token away, and is told to the end of the call`() {
    // Given an observer that holds a probe, and is all that refers to its token
    let store = makeJournal()
    let (told, freed) = (Recorder<Int>(), Gate())
    let own = Box<StoreSubscription?>(nil)
    do {
      let probe = DeinitProbe { freed.open() }
      own.value = store.subscribe(\.count, initial: false) { count in
        own.exchange(nil)
        #expect(!freed.isOpen)
        _ = probe
        told.record(count)
      }
    }

    // When
    store.dispatch(Increment())
    store.dispatch(Increment())

    // Then
    #expect(told.values == [1])
    #expect(freed.isOpen)
  }

  @Test func `S6: a subscription nobody keeps tells its initial value and nothing more`() {
    let store = makeJournal()
    let told = Recorder<Int>()
    _ = store.subscribe(\.count) { told.record($0) }
    store.dispatch(Increment())
    #expect(told.values == [0])
  }

  @Test func `S6: an observer may subscribe others of itself, of whom each is told what follows`() {
    // Given an observer that adds one more each time it is told, up to five
    let store = makeJournal()
    let told = Recorder<String>()
    let tokens = Box<[StoreSubscription]>([])
    @Sendable func add() {
      let number = tokens.value.count
      guard number < 5 else { return }
      let token = store.subscribe(\.count, initial: false) { count in
        told.record("\(number): \(count)")
        add()
      }
      tokens.value += [token]
    }
    add()

    for _ in 0..<3 { store.dispatch(Increment()) }

    #expect(
      told.values == ["0: 1", "0: 2", "1: 2", "0: 3", "1: 3", "2: 3", "3: 3"])
    tokens.exchange([])
  }
}
