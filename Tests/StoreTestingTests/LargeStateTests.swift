import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@testable import StoreTesting

/// A state of 64 KiB of stored properties, on the stack of a task's thread, which holds eight of them.
///
/// An overflow would end the test run, so each runs in a process of its own.
@Suite(.timeLimit(.minutes(5)))
struct LargeStateTests {
  @Test func `S20: the state is as large as is promised`() {
    #expect(MemoryLayout<LargeState>.size >= 64 * 1024)
    #expect(SmallStackExecutor.stackSize / MemoryLayout<LargeState>.size < 8)
  }

  @Test func `S20: a large state is dispatched to, observed and read on a small stack`() async {
    await #expect(processExitsWith: .success) {
      await prepareLargeState()
      await SmallStackExecutor.run {
        let store = makeLargeStore()
        let (counts, pages, changes) = (Recorder<Int>(), Recorder<Int>(), Recorder<Int>())
        let label = DeinitProbe {}
        store.subscribe(label, \.tail) { _, _ in }
        let subscriptions = [
          store.subscribe(\.count) { counts.record($0) },
          store.subscribe(\.otherHalf.h.h) { pages.record($0.h.h) },
          store.subscribe(changesOf: \.count) { changes.record($0.old ?? -1) },
        ]
        for _ in 0..<3 { await store.dispatch(Grow()).finish() }
        #expect(counts.values == [0, 1, 2, 3])
        #expect(pages.values == [7, 8, 9, 10])
        #expect(changes.values == [-1, 0, 1, 2])
        #expect(read(store).count == 3)
        subscriptions.forEach { $0.cancel() }
      }
    }
  }

  @Test func `S20: fifty dispatches within each other need no copy of a large state each`() async {
    await #expect(processExitsWith: .success) {
      await prepareLargeState()
      await SmallStackExecutor.run {
        let middleware: [Middleware<LargeState>] = [
          Middleware { action, context, next in
            if let grow = action as? Grow, grow.steps > 1 {
              context.dispatch(Grow(steps: grow.steps - 1))
            }
            return next(action)
          }
        ]
        let store = makeLargeStore(middleware)
        store.dispatch(Grow(steps: 50))
        #expect(read(store).count == 50 * 51 / 2)
        #expect(read(store).copies == 0)
      }
    }
  }

  @Test func `S20: links that read a part, and a log of each action, fit on a small stack`() async {
    await #expect(processExitsWith: .success) {
      await prepareLargeState()
      await SmallStackExecutor.run {
        let lines = Recorder<String>()
        let counts = Recorder<Int?>()
        let middleware: [Middleware<LargeState>] = [
          .logging { lines.record($0) },
          Middleware { action, _, next in
            let (result, count) = next(action, reading: \.count)
            counts.record(count)
            return result
          },
        ]
        let store = makeLargeStore(middleware)
        for _ in 0..<2 { store.dispatch(Grow()) }
        #expect(lines.count == 2)
        #expect(counts.values == [1, 2])
        #expect(read(store).copies == 0)
      }
    }
  }

  @Test func `S20: items and effects of a large state run on a small stack`() async {
    await #expect(processExitsWith: .success) {
      await prepareLargeState()
      await SmallStackExecutor.run {
        let counts = Recorder<Int?>()
        let items: [StateItem<LargeState>] = [
          .on(Work.self, reading: \.count) { _, dispatch, count in
            counts.record(count())
            dispatch(Grow())
          },
          .effect(on: Work.self, reading: \.count, .latest) { _, effect, count in
            effect.dispatch(Grow())
            await Task.yield()
            effect.dispatch(Grow())
            counts.record(count())
          },
        ]
        let store = makeLargeStore([createMiddleware(items: items)])
        await store.dispatch(Work()).finish()
        #expect(counts.values == [0, 3])
        #expect(read(store).copies == 0)
      }
    }
  }

  @Test func `S20: a store is shut down, and its values are awaited, on a small stack`() async {
    await #expect(processExitsWith: .success) {
      await prepareLargeState()
      await SmallStackExecutor.run {
        let store = makeLargeStore()
        var values = store.values(of: \.count).makeAsyncIterator()
        #expect(await values.next() == 0)
        store.dispatch(Grow())
        #expect(await values.next() == 1)
        await store.idle()
        await store.shutdown(grace: .seconds(1))
        #expect(read(store).copies == 0)
      }
    }
  }

  @Test func `S20: an observer and a link that dispatch do so on a small stack`() async {
    await #expect(processExitsWith: .success) {
      await prepareLargeState()
      await SmallStackExecutor.run {
        let answer = Middleware<LargeState> { action, context, next in
          if action is Work { context.dispatch(Grow()) }
          return next(action)
        }
        let store = makeLargeStore([answer])
        let subscription = store.subscribe(\.tail) { tail in
          if tail == 1 { store.dispatch(Grow()) }
        }
        store.dispatch(Work())
        #expect(read(store).count == 2)
        #expect(read(store).copies == 0)
        subscription.cancel()
      }
    }
  }

  @Test func `S20: observers of the whole state are told on a small stack`() async {
    await #expect(processExitsWith: .success) {
      await prepareLargeState()
      await SmallStackExecutor.run {
        let store = makeLargeStore()
        let counts = Recorder<Int>()
        let label = DeinitProbe {}
        store.subscribe(label, { $0 }) { counts.record(read($1).count) }
        let subscriptions = [
          store.subscribe { (state: LargeState) in counts.record(read(state).count) },
          store.subscribe({ $0 }) { counts.record(read($0).count) },
          store.subscribe({ $0 }) { counts.record(read($0).count) },
          store.subscribe({ $0 }, by: { $0.count == $1.count }) { counts.record(read($0).count) },
        ]
        store.dispatch(Grow())
        #expect(counts.values == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
        subscriptions.forEach { $0.cancel() }
      }
    }
  }

  @Test func `S20: an observer of changes of the whole state is told on a small stack`() async {
    await #expect(processExitsWith: .success) {
      await prepareLargeState()
      await SmallStackExecutor.run {
        let store = makeLargeStore()
        let counts = Recorder<Int>()
        let subscription = store.subscribe(changesOf: { $0 }) { change in
          if let old = change.old { counts.record(read(old).count) }
          counts.record(read(change.new).count)
        }
        store.dispatch(Grow())
        #expect(counts.values == [0, 0, 1])
        subscription.cancel()
      }
    }
  }

  @Test func `S20: the whole state is awaited as values, and mirrored, on a small stack`() async {
    await #expect(processExitsWith: .success) {
      await prepareLargeState()
      await SmallStackExecutor.run {
        let store = makeLargeStore()
        let part = await store.observed(\.count)
        let whole = await store.observed { $0 }
        #expect(await part.value == 0)
        #expect(await read(whole.value).count == 0)
        var values = store.values(of: { $0 }).makeAsyncIterator()
        #expect(await values.next().map { read($0).count } == 0)
        store.dispatch(Grow())
        #expect(await values.next().map { read($0).count } == 1)
      }
    }
  }

  @Test func `S20: a log says what changed in a large state on a small stack`() async {
    await #expect(processExitsWith: .success) {
      await prepareLargeState()
      await SmallStackExecutor.run {
        let lines = Recorder<String>()
        let store = makeLargeStore([.logging(changes: true) { lines.record($0) }])
        for _ in 0..<2 { store.dispatch(Grow()) }
        #expect(lines.values.first?.contains("; count: 0 → 1, ") == true)
        #expect(lines.values.last?.contains("; count: 1 → 2, ") == true)
      }
    }
  }

  @Test func `S20: a test store walks through a large state on a small stack`() async {
    await #expect(processExitsWith: .success) {
      await prepareLargeState()
      await SmallStackExecutor.run {
        let answer = MiddlewareItem.effect(on: Work.self) { _, effect in effect.dispatch(Grow()) }
        let store = TestStore(
          initialState: initialLargeState, reducer: largeReducer,
          middleware: [createMiddleware(items: [answer])])
        await store.send(Work()) { $0.tail += 1 }
        await store.receive(Grow()) { grow(&$0) }
        await store.finish()
        #expect(read(store.state).count == 1)
      }
    }
  }

  @Test func `S20: a test store tells what differs in a large state on a small stack`() async {
    await #expect(processExitsWith: .success) {
      await prepareLargeState()
      await SmallStackExecutor.run {
        let failures = Recorder<String>()
        let store = TestStore(
          initialState: BoxedValue(initialLargeState), reducer: largeReducer, middleware: [],
          limit: .seconds(10), report: { text, _ in failures.record(text) },
          creation: TestLocation("T/T.swift", "T", 1, 1))
        await store.send(Grow()) { $0.tail += 1 }
        await store.finish()
        #expect(failures.values.first?.contains("count: expected 0, got 1") == true)
      }
    }
  }

  @Test func `S20: a step of a test store is small, however large the state`() {
    #expect(MemoryLayout<Step<LargeState>>.size == MemoryLayout<Step<Int>>.size)
  }

  /// Who looks at a part of the state in the course of an action.
  enum Onlooker: CaseIterable {
    case selection, comparison, changes, object, values, memory, reading, log, item, effect
  }

  @Test(arguments: Onlooker.allCases)
  func `S20: nobody holds a copy of the state who asked for a part of it`(onlooker: Onlooker) async
  {
    // Given a store with such an onlooker, and work that is queued while the state changes
    let items: [StateItem<LargeState>] = [
      .on(Grow.self, reading: \.count) { _, _, count in _ = count() },
      .effect(on: Grow.self, reading: \.count) { _, _, count in _ = count() },
    ]
    var links: [Middleware<LargeState>] = []
    switch onlooker {
    case .reading: links = [Middleware { action, _, next in next(action, reading: \.count).result }]
    case .log: links = [.logging { _ in }]
    case .item: links = [createMiddleware(items: [items[0]])]
    case .effect: links = [createMiddleware(items: [items[1]])]
    case .selection, .comparison, .changes, .object, .values, .memory: break
    }
    let store = makeLargeStore(links)
    let dispatching = store.subscribe(\.count, initial: false) { count in
      if count == 1 { for _ in 0..<5 { store.dispatch(Grow()) } }
    }
    let label = DeinitProbe {}
    let memory = MemoizedSelector(\LargeState.count) { $0.isMultiple(of: 2) }
    var iterator: AsyncStream<Int>.Iterator?
    var subscription: StoreSubscription?
    switch onlooker {
    case .selection: subscription = store.subscribe(\.otherHalf.h.h) { _ in }
    case .comparison: subscription = store.subscribe(\.count, by: { _, _ in false }) { _ in }
    case .changes: subscription = store.subscribe(changesOf: \.count) { _ in }
    case .object: store.subscribe(label, \.count) { _, _ in }
    case .values: iterator = store.values(of: \.count).makeAsyncIterator()
    case .memory: subscription = store.subscribe(memory.select) { _ in }
    case .reading, .log, .item, .effect: break
    }

    // When
    await store.dispatch(Grow()).finish()

    // Then
    #expect(read(store).count == 6)
    #expect(read(store).copies == 0)
    subscription?.cancel()
    dispatching.cancel()
    _ = iterator
  }

  @Test func `S20: who asked for the whole state holds a copy of it, which this would find`() {
    let store = makeLargeStore()
    let subscription = store.subscribe({ $0 }) { _ in }
    for _ in 0..<3 { store.dispatch(Grow()) }
    #expect(read(store).copies == 3)
    subscription.cancel()
    store.dispatch(Grow())
    #expect(read(store).copies == 3)
  }
}
