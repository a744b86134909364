import Foundation
import Store
import TestSupport
import Testing

/// The depth of the queue, and the thread that hands over what others keep putting into it.
@Suite(.timeLimit(.minutes(5)))
struct FollowUpDepthTests {
  @Test func `S22: the depth is what waits while an observer is told, and nothing afterwards`() {
    // Given an observer that looks at the depth as it dispatches
    let store = makeJournal()
    let depths = Recorder<Int>()
    let subscription = store.subscribe(\.count, initial: false) { count in
      guard count == 1 else { return }
      for _ in 0..<3 {
        store.dispatch(Increment())
        depths.record(store.followUpDepth)
      }
    }
    #expect(store.followUpDepth == 0)

    // When
    store.dispatch(Increment())

    // Then
    #expect(depths.values == [1, 2, 3])
    #expect(store.followUpDepth == 0)
    subscription.cancel()
  }

  @Test func `S22: the depth counts what the thread that drains has in hand`() {
    // Given an observer that sends three actions, and looks at the depth as it is told of each
    let store = makeJournal()
    let depths = Recorder<Int>()
    let subscription = store.subscribe(\.count, initial: false) { count in
      if count == 1 { for _ in 0..<3 { store.dispatch(Increment()) } }
      depths.record(store.followUpDepth)
    }

    // When
    store.dispatch(Increment())

    // Then
    #expect(depths.values == [3, 2, 1, 0])
    subscription.cancel()
  }

  @Test func `S22: observers of one type are one piece of work, of other types others`() {
    let store = makeJournal()
    let depth = Recorder<Int>()
    let subscriptions = [
      store.subscribe(\.count, initial: false) { count in
        guard count == 1 else { return }
        store.dispatch(Increment())
        depth.record(store.followUpDepth)
      },
      store.subscribe(\.count, initial: false) { _ in },
      store.subscribe({ "\($0.count)" }, initial: false) { _ in },
    ]

    store.dispatch(Increment())

    // The second type's of the first action, and both of the second.
    #expect(depth.values == [3])
    subscriptions.forEach { $0.cancel() }
  }

  @Test func `S22: a reducer that asks for the depth is told so and gets zero`() {
    let reports = Recorder<String>()
    let itself = Box<Store<Int>?>(nil)
    let store = Store(
      initialState: -1,
      reducer: Reducer<Int>.on(Increment.self) { depth, _ in
        depth = itself.value?.followUpDepth ?? -1
      }, diagnostics: { reports.record("\($0)") })
    itself.value = store

    store.dispatch(Increment())

    #expect(store.state == 0)
    #expect(reports.count == 1)
    #expect(reports.values.first?.hasPrefix("`followUpDepth` was called on a store from") == true)
    itself.value = nil
  }

  @Test func `S22: a queue longer than 100,000 is reported once, and nothing of it is lost`() {
    // Given an observer that dispatches twice as many actions while it is told the first
    let reports = Recorder<Diagnostic>()
    let depths = Recorder<Int>()
    let store = makeJournal(diagnostics: { reports.record($0) })
    let told = Box(0)
    let line = #line + 5 as UInt
    let subscription = store.subscribe(\.count, initial: false) { count in
      told.value = count
      guard count == 1 || count == 250_001 else { return }
      for _ in 0..<100_000 { store.dispatch(Increment()) }
      for _ in 0..<150_000 { store.dispatch(Increment()) }
      depths.record(store.followUpDepth)
    }

    // When that happens twice
    store.dispatch(Increment())

    // Then it was told when the 100,001st was queued, and never again
    #expect(depths.values == [250_000, 250_000])
    #expect(told.value == 500_001)
    #expect(
      reports.values.map(\.description) == [
        """
        100001 pieces of follow-up work are waiting, the last of them for Increment (dispatch \
        #100002 at StoreTests/FollowUpDepthTests.swift:\(line)): actions come faster than observers \
        and items deal with them. Look for one that blocks its thread, and dispatch less often: \
        gather what belongs together into one action. Nothing is lost.
        """
      ])
    #expect(reports.values.first?.severity == .warning)
    subscription.cancel()
  }

  @Test func `S22: a queue of exactly 100,000 is not reported`() {
    // A diagnostic would fail the test.
    let store = makeJournal()
    let subscription = store.subscribe(\.count, initial: false) { count in
      guard count == 1 else { return }
      for _ in 0..<100_000 { store.dispatch(Increment()) }
      #expect(store.followUpDepth == 100_000)
    }

    store.dispatch(Increment())

    #expect(store.state.count == 100_001)
    subscription.cancel()
  }

  /// An observer that has another thread dispatch more each time it has been told all of it, for as
  /// long as it is told on the thread that it is made for.
  private final class Feeder: Sendable {
    static let batch = 100
    /// Without a hand-over the feeding would go on for ever.
    static let most = 60_000

    private let hungry = DispatchSemaphore(value: 0)
    private let fed = DispatchSemaphore(value: 0)
    let told = Recorder<Int>()
    /// How many values were told on the thread that is fed.
    let toldHere = Box(0)
    let isFull = Box(false)

    func receive(_ count: Int) {
      told.record(count)
      guard Thread.current.threadDictionary["fed"] != nil, count < Self.most else {
        isFull.value = true
        hungry.signal()
        return
      }
      toldHere.value += 1
      if count % Self.batch == 1 {
        hungry.signal()
        _ = fed.wait(timeout: .now() + 120)
      }
    }

    /// Dispatches a batch whenever the observer asks for it.
    func feed(_ store: Store<Journal>) {
      while hungry.wait(timeout: .now() + 120) == .success, !isFull.value {
        for _ in 0..<Self.batch { store.dispatch(Increment()) }
        fed.signal()
      }
    }
  }

  @Test func `S22: a thread that others feed returns after 10,000 pieces, and the order is kept`()
    async
  {
    // Given an observer that is fed by another thread for as long as this one drains
    let store = makeJournal()
    let feeder = Feeder()
    let subscription = store.subscribe(\.count, initial: false) { feeder.receive($0) }
    async let feeding: Void = runOnThread { feeder.feed(store) }

    // When a thread dispatches once
    await runOnThread {
      Thread.current.threadDictionary["fed"] = true
      store.dispatch(Increment())
      return ()
    }

    // Then it came back, having done its own and not much more than its share
    #expect(feeder.toldHere.value > 10_000 - Feeder.batch)
    #expect(feeder.toldHere.value <= 10_001 + Feeder.batch)

    // and the rest was told elsewhere, in order
    await feeding
    await store.idle()
    #expect(feeder.told.values == Array(1...store.state.count))
    #expect(feeder.told.count > feeder.toldHere.value)
    subscription.cancel()
  }

  @Test func `S22: a thread does all of its own work, however much that is`() async {
    // Given an observer that dispatches three times as much as one hands over
    let store = makeJournal()
    let told = Box(0)
    let subscription = store.subscribe(\.count, initial: false) { count in
      told.value = count
      if count < 30_000 { store.dispatch(Increment()) }
    }

    // When
    await runOnThread { _ = store.dispatch(Increment()) }

    // Then nothing is left for another
    #expect(told.value == 30_000)
    subscription.cancel()
  }

  @Test func `S22: what one thread hands over another hands over in turn, and nothing is lost`()
    async
  {
    let each = isThreadSanitized ? 3_000 : 10_000
    let store = makeJournal()
    let told = Recorder<Int>()
    let subscription = store.subscribe(\.count, initial: false) { told.record($0) }
    // Held, so that what is fed in is many times what a thread does in one turn.
    let (held, mayGo) = (ThreadGate(), ThreadGate())
    let holding = store.subscribe(\.count, initial: false) { count in
      guard count == 1 || count == 3 * each else { return }
      held.open()
      #expect(mayGo.wait())
    }

    async let draining: Void = runOnThread {
      store.dispatch(Increment())
      return ()
    }
    #expect(await runOnThread { held.wait() })
    await runOnThreads(4) { _ in for _ in 0..<each { store.dispatch(Increment()) } }
    mayGo.open()
    await draining
    await runOnThreads(4) { _ in for _ in 0..<each { store.dispatch(Increment()) } }
    await store.idle()

    #expect(told.values == Array(1...8 * each + 1))
    #expect(store.followUpDepth == 0)
    subscription.cancel()
    holding.cancel()
  }

  @Test func `S22: a handed-over drain keeps the store until its end, and no longer`() async {
    // Given a store that only its dispatching threads hold, whose last value is held up
    let (freed, arrived, mayEnd) = (Gate(), Gate(), ThreadGate())
    let told = Recorder<Int>()
    let (entered, full) = (ThreadGate(), ThreadGate())
    let token = Box<StoreSubscription?>(nil)
    let made = Box<Store<Journal>?>(makeJournal())
    weak let observed = made.value
    if let store = made.value {
      let probe = DeinitProbe { freed.open() }
      token.value = store.subscribe(\.count, initial: false) { count in
        _ = probe
        told.record(count)
        if count == 1 {
          entered.open()
          #expect(full.wait())
        }
        if count == 15_000 {
          arrived.open()
          #expect(mayEnd.wait())
        }
      }
    }

    // When one thread is fed too much, and both let go of the store
    async let fed: Void = runOnThread {
      let store = made.value
      store?.dispatch(Increment())
      return ()
    }
    async let feeding: Void = runOnThread {
      guard entered.wait(), let store = made.exchange(nil) else { return }
      for _ in 0..<14_999 { store.dispatch(Increment()) }
      full.open()
    }
    _ = await (fed, feeding)
    await arrived.wait()

    // Then the drain still has it, to the last value
    #expect(observed != nil)
    #expect(!freed.isOpen)
    mayEnd.open()
    await freed.wait()
    #expect(told.values == Array(1...15_000))
    token.exchange(nil)
  }
}
