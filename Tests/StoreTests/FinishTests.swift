import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FinishTests {
  /// A thread that is held inside an observer of `store`, and so drains its queue.
  private final class HeldDrain: Sendable {
    let subscription: StoreSubscription
    private let mayLeave: ThreadGate
    private let dispatching: Task<Void, Never>

    init(_ store: Store<Journal>) async {
      let (entered, mayLeave) = (ThreadGate(), ThreadGate())
      self.mayLeave = mayLeave
      subscription = store.subscribe(\.notes, initial: false) { notes in
        guard notes == ["hold"] else { return }
        entered.open()
        #expect(mayLeave.wait())
      }
      dispatching = Task { await runOnThread { _ = store.dispatch(Note("hold")) } }
      #expect(await runOnThread { entered.wait() })
    }

    func release() async {
      mayLeave.open()
      await dispatching.value
    }

    /// Lets the thread go on, until it comes to `gate`.
    func release(until gate: ThreadGate) async {
      mayLeave.open()
      #expect(await runOnThread { gate.wait() })
    }
  }

  @Test func `S16: finish returns at once when nothing is left to do`() async {
    let store = makeJournal()
    let finishing = startedTask { await store.dispatch(Increment()).finish() }
    await finishing.value
    await store.idle()
  }

  @Test func `S16: finish waits for the follow-up that another thread has to do`() async {
    let store = makeJournal()
    let told = Recorder<Int>()
    let subscription = store.subscribe(\.count, initial: false) { told.record($0) }
    let drain = await HeldDrain(store)
    let handle = store.dispatch(Increment())

    let finishing = startedTask {
      await handle.finish()
      return told.values
    }
    #expect(told.values == [])
    await drain.release()

    #expect(await finishing.value == [1])
    subscription.cancel()
  }

  @Test func `S16: a cancelled waiter returns early and cancels nothing`() async {
    // Given a finish that has to wait
    let store = makeJournal()
    let told = Recorder<Int>()
    let subscription = store.subscribe(\.count, initial: false) { told.record($0) }
    let drain = await HeldDrain(store)
    let handle = store.dispatch(Increment())
    let finishing = startedTask { await handle.finish() }

    // When
    finishing.cancel()
    await finishing.value

    // Then
    #expect(told.values == [])
    await drain.release()
    await handle.finish()
    #expect(told.values == [1])
    subscription.cancel()
  }

  @Test func `S16: a waiter that is cancelled beforehand does not wait`() async {
    let store = makeJournal()
    let drain = await HeldDrain(store)
    let handle = store.dispatch(Increment())

    let finishing = Task {
      await Gate().wait()  // Returns when the task is cancelled.
      await handle.finish()
      await store.idle()
    }
    finishing.cancel()
    await finishing.value
    await drain.release()
  }

  @Test func `S16: any number of tasks can wait, for the same handle too`() async {
    let store = makeJournal()
    let drain = await HeldDrain(store)
    let handle = store.dispatch(Increment())
    let finishing = (0..<20).map { number in
      startedTask {
        if number.isMultiple(of: 2) { await handle.finish() } else { await store.idle() }
      }
    }
    finishing[4].cancel()
    finishing[5].cancel()

    await drain.release()

    for waiter in finishing { await waiter.value }
  }

  @Test func `S16: idle waits until the thread that follows up has nothing left to do`() async {
    let store = makeJournal()
    let log = Recorder<String>()
    let drain = await HeldDrain(store)
    let last = store.subscribe(\.notes, initial: false) { notes in
      log.record("told of \(notes.count)")
      if notes.count < 4 { store.dispatch(Note("more")) }
    }
    store.dispatch(Note("more"))

    let waiting = startedTask {
      await store.idle()
      log.record("idle")
    }
    #expect(log.values == [])
    await drain.release()
    await waiting.value

    #expect(log.values == ["told of 2", "told of 3", "told of 4", "idle"])
    last.cancel()
  }

  @Test func `S16: idle waits for a chain that has not returned`() async {
    // Given a link that is held
    let (entered, mayLeave) = (ThreadGate(), ThreadGate())
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        entered.open()
        #expect(mayLeave.wait())
        return next(action)
      }
    ])
    async let dispatching: Void = runOnThread {
      store.dispatch(Increment())
      return ()
    }
    #expect(await runOnThread { entered.wait() })

    // When
    let waiting = startedTask {
      await store.idle()
      return store.state.count
    }
    mayLeave.open()

    // Then
    #expect(await waiting.value == 1)
    await dispatching
  }

  @Test func `S16: actions that observers send are not waited for`() async {
    // Given an observer of the first action that sends a second, whose own observer is held
    let store = makeJournal()
    let (entered, mayLeave) = (ThreadGate(), ThreadGate())
    let handle = Box<DispatchHandle?>(nil)
    let sending = store.subscribe(\.count, initial: false) { _ in store.dispatch(Note("sent")) }
    let held = store.subscribe(\.notes, initial: false) { notes in
      guard notes == ["hold", "sent"] else { return }
      entered.open()
      #expect(mayLeave.wait())
    }
    let drain = await HeldDrain(store)
    handle.value = store.dispatch(Increment())
    let finishing = startedTask { await handle.value?.finish() }

    // When the second action is being told
    await drain.release(until: entered)

    // Then the first one is finished
    await finishing.value
    mayLeave.open()
    await store.idle()
    sending.cancel()
    held.cancel()
  }
}
