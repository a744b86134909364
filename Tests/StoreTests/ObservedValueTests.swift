import Observation
import Store
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct ObservedValueTests {
  /// Waits until an observed value is `expected`, tracking it as a view does.
  private func wait<Value>(for expected: Value, in observed: ObservedValue<Value>) async {
    while !Task.isCancelled {
      let changed = Gate()
      let value = withObservationTracking {
        observed.value
      } onChange: {
        changed.open()
      }
      if value == expected { return }
      await changed.wait()
    }
  }

  @Test func `S13: the first value is there at once`() {
    let store = makeJournal()
    store.dispatch(Increment())

    #expect(store.observed(\.count).value == 1)
  }

  @Test func `S13: tracking is told of a change, on the main actor`() async {
    let store = makeJournal()
    let count = store.observed(\.count)
    let changed = Gate()
    withObservationTracking {
      _ = count.value
    } onChange: {
      MainActor.preconditionIsolated()
      changed.open()
    }
    #expect(!changed.isOpen)

    await runOnThread { _ = store.dispatch(Increment()) }
    await changed.wait()

    await wait(for: 1, in: count)
  }

  @Test func `S13: a change of something else, or to an equal value, is not told`() async {
    let store = makeJournal()
    let (count, notes) = (store.observed(\.count), store.observed(\.notes))
    let changed = Gate()
    withObservationTracking {
      _ = count.value
    } onChange: {
      changed.open()
    }

    store.dispatch(Note("changes something else"))
    await wait(for: ["changes something else"], in: notes)

    #expect(!changed.isOpen)
  }

  @Test func `S13: a value that came and went before the main actor's turn is not told`() async {
    struct Set: Action { let value: Int }
    let store = Store(initialState: [0, 0], reducer: .on(Set.self) { $0 = [$1.value, $0[1] + 1] })
    let (value, changes) = (store.observed(\.[0]), store.observed(\.[1]))
    let changed = Gate()
    withObservationTracking {
      _ = value.value
    } onChange: {
      changed.open()
    }

    store.dispatch(Set(value: 1))
    store.dispatch(Set(value: 0))
    await wait(for: 2, in: changes)

    #expect(!changed.isOpen)
  }

  @Test func `S13: values rise as they were committed, and end with the newest`() async {
    let store = makeJournal()
    let count = store.observed(\.count)
    async let dispatching: Void = runOnThreads(4) { _ in
      for _ in 0..<2_500 { store.dispatch(Increment()) }
    }

    var seen: [Int] = []
    while count.value < 10_000, !Task.isCancelled {
      let changed = Gate()
      let value = withObservationTracking {
        count.value
      } onChange: {
        changed.open()
      }
      seen.append(value)
      await changed.wait()
    }
    await dispatching

    #expect(count.value == 10_000)
    #expect(seen == seen.sorted())
  }

  @Test func `S13: a store that goes after its last change still shows it`() async {
    var store: Store<Journal>? = makeJournal()
    guard let count = store?.observed(\.count) else { return }

    store?.dispatch(Increment())
    store = nil

    await wait(for: 1, in: count)
  }

  @Test func `S13: it keeps no store alive`() {
    let freed = Gate()
    var store: Store<DeinitProbe>? = Store(
      initialState: DeinitProbe { freed.open() }, reducer: Reducer { _, _ in })
    let observed = store?.observed { _ in 0 }

    store = nil

    #expect(freed.isOpen)
    #expect(observed?.value == 0)
  }

  @Test func `S13: it ends with its last reference, and leaves nothing in the store`() async {
    let store = makeJournal()
    let freed = Gate()
    func mirror() async {
      let probe = DeinitProbe { freed.open() }
      let count = store.observed { journal in withExtendedLifetime(probe) { journal.count } }
      store.dispatch(Increment())
      await wait(for: 1, in: count)
      #expect(!freed.isOpen)
    }

    await mirror()

    await freed.wait()
    #expect(freed.isOpen)
  }
}
