import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StoreValuesTests {
  @Test func `S12: the present value comes first, then each change in commit order`() async {
    let store = makeJournal()
    store.dispatch(Increment())
    var counts = store.values(of: \.count, buffering: .unbounded).makeAsyncIterator()

    store.dispatch(Increment())
    store.dispatch(Note("changes something else"))
    store.dispatch(Increment())

    #expect(await counts.next() == 1)
    #expect(await counts.next() == 2)
    #expect(await counts.next() == 3)
  }

  @Test func `S12: a task that waits is woken by each change`() async {
    let store = makeJournal()
    let seen = Recorder<Int>()
    let task = startedTask {
      for await count in store.values(of: \.count) { seen.record(count) }
    }

    for count in 0..<100 {
      await seen.waitForCount(count + 1)
      store.dispatch(Increment())
    }

    await seen.waitForCount(101)
    #expect(seen.values == Array(0...100))
    task.cancel()
    await task.value
  }

  @Test func `S12: by default a busy task finds the newest value only`() async {
    let store = makeJournal()
    var counts = store.values(of: \.count).makeAsyncIterator()

    for _ in 0..<10 { store.dispatch(Increment()) }
    #expect(await counts.next() == 10)

    for _ in 0..<10 { store.dispatch(Increment()) }
    #expect(await counts.next() == 20)
  }

  @Test(arguments: [
    (StoreValues<Int>.BufferingPolicy.bufferingOldest(2), [0, 1]),
    (.bufferingNewest(2), [4, 5]),
    (.unbounded, [0, 1, 2, 3, 4, 5]),
  ])
  func `S12: the policy says which values a busy task finds`(
    policy: StoreValues<Int>.BufferingPolicy, expected: [Int]
  ) async {
    var store: Store<Journal>? = makeJournal()
    let counts = store?.values(of: \.count, buffering: policy).makeAsyncIterator()

    for _ in 0..<5 { store?.dispatch(Increment()) }
    store = nil

    #expect(await rest(of: counts) == expected)
  }

  @Test func `S12: the values end with the store, after its last one`() async {
    var store: Store<Journal>? = makeJournal()
    let seen = Recorder<Int>()
    let task = startedTask { [values = store?.values(of: \.count, buffering: .unbounded)] in
      guard let values else { return }
      for await count in values { seen.record(count) }
    }
    await seen.waitForCount(1)

    store?.dispatch(Increment())
    store = nil

    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    #expect(seen.values == [0, 1])
  }

  @Test func `S12: without its store a sequence is empty, and it does not keep one alive`() async {
    let freed = Gate()
    var store: Store<DeinitProbe>? = Store(
      initialState: DeinitProbe { freed.open() }, reducer: Reducer { _, _ in })
    let values = store?.values(of: { _ in 0 })

    store = nil

    #expect(freed.isOpen)
    #expect(await rest(of: values?.makeAsyncIterator()) == [])
  }

  @Test func `S12: a sequence that is never iterated costs the store nothing`() {
    let store = makeJournal()
    let calls = Box(0)

    _ = store.values(of: { journal in
      calls.value += 1
      return journal.count
    })
    store.dispatch(Increment())

    #expect(calls.value == 0)
  }

  @Test func `S12: each iteration is a subscription of its own`() async {
    let store = makeJournal()
    let values = store.values(of: \.count, buffering: .unbounded)
    var first = values.makeAsyncIterator()
    store.dispatch(Increment())
    var second = values.makeAsyncIterator()
    store.dispatch(Increment())

    #expect(await [first.next(), first.next(), first.next()] == [0, 1, 2])
    #expect(await [second.next(), second.next()] == [1, 2])
  }

  @Test func `S12: a first value that has to wait its turn is not lost`() async {
    // Given an iteration that begins during follow-up, when observers are told one after the other
    let store = makeJournal()
    let begun = Box<Task<[Int], Never>?>(nil)
    let observing = store.subscribe(\.notes, initial: false) { _ in
      let counts = store.values(of: \.count, buffering: .unbounded).makeAsyncIterator()
      begun.value = Task { [counts] in
        var counts = counts
        return await [counts.next(), counts.next()].compactMap(\.self)
      }
      store.dispatch(Increment())
    }

    store.dispatch(Note("begin"))

    #expect(await begun.value?.value == [0, 1])
    observing.cancel()
  }

  @Test func `S12: with four threads dispatching every value comes, in commit order`()
    async
  {
    let store = makeJournal()
    var counts = store.values(of: \.count, buffering: .unbounded).makeAsyncIterator()

    await runOnThreads(4) { _ in
      for _ in 0..<2_500 { store.dispatch(Increment()) }
    }
    await store.idle()

    var values: [Int] = []
    while values.count <= 10_000, let count = await counts.next() { values.append(count) }
    #expect(values == Array(0...10_000))
  }

  @Test func `S8: an iteration that begins in a selector is diagnosed and empty`() async {
    let reported = Recorder<Diagnostic.Severity>()
    let store = makeJournal(diagnostics: { reported.record($0.severity) })
    let values = store.values(of: \.count)
    let begun = Box<Task<[Int], Never>?>(nil)

    let subscription = store.subscribe({ journal in
      let counts = values.makeAsyncIterator()
      begun.value = Task { [counts] in await rest(of: counts) }
      return journal.count
    }) { _ in }

    #expect(await begun.value?.value == [])
    #expect(reported.values == [.programmingError])
    subscription.cancel()
  }
}

/// What an iterator still has, to its end.
private func rest<Value: Sendable>(
  of iterator: AsyncStream<Value>.Iterator?
) async -> [Value] {
  guard var iterator else { return [] }
  var values: [Value] = []
  while let value = await iterator.next(isolation: #isolation) { values.append(value) }
  return values
}
