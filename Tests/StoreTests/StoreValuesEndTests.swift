import Store
import TestSupport
import Testing

/// A store goes on without what iterated its values, however the iteration ended.
@Suite(.timeLimit(.minutes(5)))
struct StoreValuesEndTests {
  private let store = makeJournal()
  private let freed = Gate()

  /// Values of the store; when their observer is gone the gate is open.
  private func probedValues(
    buffering policy: StoreValues<Int>.BufferingPolicy = .unbounded
  ) -> StoreValues<Int> {
    let probe = DeinitProbe { [freed] in freed.open() }
    return store.values(
      of: { journal in withExtendedLifetime(probe) { journal.count } }, buffering: policy)
  }

  @Test func `S12: cancelling the iterating task ends the subscription`() async {
    let seen = Recorder<Int>()
    let task = startedTask { [values = probedValues()] in
      for await count in values { seen.record(count) }
    }
    await seen.waitForCount(1)
    #expect(!freed.isOpen)

    task.cancel()
    await task.value

    #expect(freed.isOpen)
    store.dispatch(Increment())
    #expect(seen.values == [0])
  }

  @Test func `S12: cancelling ends the subscription also while the iterator is kept`() async {
    let calls = Box(0)
    let values = store.values(of: { journal in
      calls.value += 1
      return journal.count
    })
    let task = startedTask { [store] in
      var counts = values.makeAsyncIterator()
      while await counts.next() != nil {}
      let callsBefore = calls.value
      store.dispatch(Increment())
      #expect(calls.value == callsBefore)
      return await counts.next()
    }

    task.cancel()

    #expect(await task.value == nil)
  }

  @Test func `S12: leaving the loop ends the subscription`() async {
    func first() async -> Int? {
      for await count in probedValues() { return count }
      return nil
    }

    #expect(await first() == 0)

    #expect(freed.isOpen)
  }

  @Test func `S12: giving up an iterator with values in it ends the subscription`() {
    func begin() {
      let counts = probedValues().makeAsyncIterator()
      store.dispatch(Increment())
      #expect(!freed.isOpen)
      _ = consume counts
    }

    begin()

    #expect(freed.isOpen)
  }

  @Test func `S12: buffered values are freed with the iterator`() {
    struct Held: Equatable, Sendable {
      let number: Int
      let probe: DeinitProbe
      static func == (first: Held, second: Held) -> Bool { first.number == second.number }
    }
    let freedValues = Recorder<Int>()
    func begin() {
      let held = store.values(
        of: { journal in
          Held(number: journal.count, probe: DeinitProbe { freedValues.record(journal.count) })
        }, buffering: .unbounded
      ).makeAsyncIterator()
      store.dispatch(Increment())
      store.dispatch(Increment())
      #expect(freedValues.values == [])
      _ = consume held
    }

    begin()

    #expect(Set(freedValues.values) == [0, 1, 2])
  }

  @Test func `S12: an iteration ends once when its store goes while its task is cancelled`() async {
    for _ in 0..<500 {
      let store = Box<Store<Journal>?>(makeJournal())
      let begun = Gate()
      let task = startedTask { [values = store.value?.values(of: \.count)] in
        guard let values else { return }
        for await _ in values { begun.open() }
      }
      await begun.wait()

      await runOnThreads(2) { index in
        if index == 0 { task.cancel() } else { store.exchange(nil) }
      }
      await task.value
    }
  }
}
