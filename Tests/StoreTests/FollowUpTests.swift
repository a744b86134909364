import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FollowUpTests {
  @Test func `S3: A sends B and C, B sends D: observers see A, B, C, D reduced in that order`() {
    // Given
    let store = makeJournal()
    let order = Recorder<String>()
    let sends = ["A": ["B", "C"], "B": ["D"]]
    let subscription = store.subscribe(\.notes, initial: false) { notes in
      guard let last = notes.last else { return }
      order.record(last)
      for next in sends[last] ?? [] { store.dispatch(Note(next)) }
    }

    // When
    store.dispatch(Note("A"))

    // Then
    #expect(store.state.notes == ["A", "B", "C", "D"])
    #expect(order.values == ["A", "B", "C", "D"])
    subscription.cancel()
  }

  @Test func `S3: all observers of an action are told before those of the actions that they send`()
  {
    let store = makeJournal()
    let log = Recorder<String>()
    let first = store.subscribe(\.notes, initial: false) { notes in
      log.record("first \(notes.count)")
      if notes.count == 1 { store.dispatch(Note("nested")) }
    }
    let second = store.subscribe(\.notes, initial: false) { log.record("second \($0.count)") }

    store.dispatch(Note("outer"))

    #expect(log.values == ["first 1", "second 1", "first 2", "second 2"])
    first.cancel()
    second.cancel()
  }

  @Test func `S3: a dispatch returns reduced while another thread is held inside an observer`()
    async
  {
    // Given a thread that drains, held in an observer
    let store = makeJournal()
    let (entered, mayLeave) = (ThreadGate(), ThreadGate())
    let told = Recorder<Int>()
    let subscription = store.subscribe(\.count, initial: false) { count in
      told.record(count)
      guard count == 1 else { return }
      entered.open()
      #expect(mayLeave.wait())
    }
    async let draining: Void = runOnThread {
      store.dispatch(Increment())
      return ()
    }
    #expect(await runOnThread { entered.wait() })

    // When another thread dispatches
    let (seen, handle) = await runOnThread {
      let handle = store.dispatch(Increment())
      return (store.state.count, handle)
    }

    // Then its action is reduced, its observers wait for the thread that drains
    #expect(seen == 2)
    #expect(told.values == [1])

    // and its handle waits for them
    let finishing = startedTask {
      await handle.finish()
      return told.values
    }
    #expect(told.values == [1])
    mayLeave.open()
    await draining
    #expect(await finishing.value == [1, 2])
    subscription.cancel()
  }

  @Test func `S3: one thread drains at a time`() async {
    let store = makeJournal()
    let inside = Box(0)
    let overlaps = Box(0)
    let subscription = store.subscribe(\.count) { _ in
      if inside.exchange(1) != 0 { overlaps.value += 1 }
      inside.value = 0
    }

    await runOnThreads(4) { _ in
      for _ in 0..<5_000 { store.dispatch(Increment()) }
    }
    await store.idle()

    #expect(overlaps.value == 0)
    subscription.cancel()
  }

  @Test func `S3: follow-up never runs under the lock`() async {
    // Given an observer that waits for another thread to read and change the state
    let store = makeJournal()
    let seen = Recorder<Int>()
    let subscription = store.subscribe(\.count, initial: false) { count in
      guard count == 1 else { return }
      let done = ThreadGate()
      Task.detached {
        store.dispatch(Increment())
        seen.record(store.state.count)
        done.open()
      }
      if !done.wait() { seen.record(-1) }
    }

    // When
    await runOnThread { _ = store.dispatch(Increment()) }

    // Then
    #expect(seen.values == [2])
    subscription.cancel()
  }

  @Test func `S3: a link's own nested dispatch is reduced at once, depth first`() {
    // Given
    let log = Recorder<String>()
    let sends = ["A": ["B", "C"], "B": ["D"]]
    let store = makeJournal(middleware: [
      tracing("outer", in: log),
      Middleware { action, context, next in
        for text in sends[label(action)] ?? [] { context.dispatch(Note(text)) }
        return next(action)
      },
    ])

    // When
    store.dispatch(Note("A"))

    // Then
    #expect(store.state.notes == ["D", "B", "C", "A"])
    #expect(
      log.values == [
        "outer> A", "outer> B", "outer> D", "<outer D", "<outer B", "outer> C", "<outer C",
        "<outer A",
      ])
  }
}
