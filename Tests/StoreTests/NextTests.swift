import Store
import TestSupport
import Testing

/// What `next` promises to a link.
@Suite(.timeLimit(.minutes(5)))
struct NextTests {
  @Test func `S7: next returns the commit, counted from 1 in each store`() {
    let results = Recorder<DispatchResult>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        let result = next(action)
        results.record(result)
        return result
      }
    ])

    store.dispatch(Increment())
    store.dispatch(Unheard())
    store.dispatch(Note("A"))

    #expect(results.values == [1, 2, 3].map { .reduced(commit: $0) })
  }

  @Test func `S7: next returns swallowed when a later link kept the action`() {
    let results = Recorder<DispatchResult>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        let result = next(action)
        results.record(result)
        return result
      },
      Middleware { action, _, next in action is Note ? .swallowed : next(action) },
    ])

    store.dispatch(Note("kept"))
    store.dispatch(Increment())

    #expect(results.values == [.swallowed, .reduced(commit: 1)])
    #expect(store.state == Journal(count: 1))
  }

  @Test func `S7: reading gives exactly the state of the commit, though a later link adds another`()
  {
    // Given an inner link that changes the state again before the outer one is back
    let read = Recorder<Int?>()
    let now = Recorder<Int?>()
    let store = makeJournal(middleware: [
      Middleware { action, context, next in
        guard action is Increment else { return next(action) }
        let (result, count) = next(action, reading: \.count)
        read.record(count)
        now.record(context.state?.count)
        return result
      },
      Middleware { action, context, next in
        let result = next(action)
        if action is Increment, (context.state?.count ?? 0) < 2 { context.dispatch(Increment()) }
        return result
      },
    ])

    // When
    store.dispatch(Increment())

    // Then the nested action, which is back first, read 2 and the outer one 1
    #expect(read.values == [2, 1])
    #expect(now.values == [2, 2])
  }

  @Test func `S7: reading gives exactly the state of the commit, though another thread changes it`()
    async
  {
    // Given an inner link that lets another thread dispatch while it holds the first action
    let read = Recorder<Int?>()
    let other = Recorder<Bool>()
    let itself = Box<Store<Journal>?>(nil)
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        guard let note = action as? Note else { return next(action) }
        let (result, count) = next(note, reading: \.count)
        read.record(count)
        return result
      },
      Middleware { action, _, next in
        let result = next(action)
        guard action is Note else { return result }
        let done = ThreadGate()
        Task.detached {
          itself.value?.dispatch(Increment())
          done.open()
        }
        other.record(done.wait())
        return result
      },
    ])
    itself.value = store

    // When
    await runOnThread { _ = store.dispatch(Note("A")) }

    // Then
    #expect(other.values == [true])
    #expect(store.state.count == 1)
    #expect(read.values == [0])
    itself.value = nil
  }

  @Test func `S7: of four threads each reads its own commit and no other`() async {
    let wrong = Recorder<String>()
    let seen = Recorder<Int>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        let (result, count) = next(action, reading: \.count)
        if let count {
          seen.record(count)
          if result != .reduced(commit: UInt64(count)) { wrong.record("\(count) of \(result)") }
        }
        return result
      }
    ])

    await runOnThreads(4) { _ in
      for _ in 0..<1_000 { store.dispatch(Increment()) }
    }

    #expect(wrong.values == [])
    #expect(seen.values.sorted() == Array(1...4_000))
  }

  @Test(arguments: [true, false])
  func `S7: of several actions passed on, reading gives the state of the one that was returned`(
    returnsFirst: Bool
  ) {
    // Given an inner link that passes the action on twice
    let read = Recorder<Int?>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        let (result, count) = next(action, reading: \.count)
        read.record(count)
        return result
      },
      Middleware { action, _, next in
        let (first, second) = (next(action), next(action))
        return returnsFirst ? first : second
      },
    ])

    // When
    store.dispatch(Increment())

    // Then
    #expect(store.state.count == 2)
    #expect(read.values == [returnsFirst ? 1 : 2])
  }

  @Test func `S7: reading an action that was swallowed gives nothing`() {
    let read = Recorder<Int?>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        let (result, count) = next(action, reading: \.count)
        read.record(count)
        return result
      },
      Middleware { action, context, next in
        guard action is Unheard else { return next(action) }
        context.dispatch(Increment())
        return .swallowed
      },
    ])

    store.dispatch(Unheard())

    #expect(read.values == [1, nil])
  }

  @Test func `S7: no observer is called on this thread before the whole chain has returned`() {
    // Given observers of what two links and a subscription within them set off
    let log = Recorder<String>()
    let added = Box<StoreSubscription?>(nil)
    let itself = Box<Store<Journal>?>(nil)
    let store = makeJournal(middleware: [
      tracing("outer", in: log),
      Middleware { action, context, next in
        let result = next(action)
        guard action is Increment else { return result }
        context.dispatch(Note("nested"))
        added.value = itself.value?.subscribe(\.count) { log.record("added told \($0)") }
        return result
      },
    ])
    itself.value = store
    let subscription = store.subscribe({ $0 }, initial: false) {
      log.record("told \($0.count) \($0.notes.count)")
    }

    // When
    store.dispatch(Increment())

    // Then
    #expect(
      log.values == [
        "outer> Increment", "outer> nested", "<outer nested", "<outer Increment",
        "told 1 0", "told 1 1", "added told 1",
      ])
    itself.value = nil
    added.value?.cancel()
    subscription.cancel()
  }

  @Test func `S7: an action that a link delays is reduced when it lets it go`() {
    // Given
    let kept = Box<Next<Journal>?>(nil)
    let results = Recorder<DispatchResult>()
    let log = Recorder<String>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        let (result, count) = next(action, reading: \.count)
        results.record(result)
        #expect(count == nil)
        return result
      },
      Middleware { _, _, next in
        kept.value = next
        return .swallowed
      },
      tracing("inner", in: log),
    ])
    let subscription = store.subscribe(\.count, initial: false) { log.record("told \($0)") }

    // When
    store.dispatch(Increment())

    // Then nothing has happened yet
    #expect(results.values == [.swallowed])
    #expect(store.state.count == 0)

    // When the link lets go, twice
    #expect(kept.value?(Increment()) == .reduced(commit: 1))
    #expect(kept.value?(Increment()) == .reduced(commit: 2))

    // Then only the links after it saw that, and observers were told when those had returned
    #expect(results.count == 1)
    #expect(
      log.values == [
        "inner> Increment", "<inner Increment", "told 1",
        "inner> Increment", "<inner Increment", "told 2",
      ])
    subscription.cancel()
  }

  @Test func `S7: a delayed action may be let go and read by another thread`() async {
    let kept = Box<Next<Journal>?>(nil)
    let store = makeJournal(middleware: [
      Middleware { _, _, next in
        kept.value = next
        return .swallowed
      }
    ])
    store.dispatch(Increment())

    let (result, count) = await runOnThread {
      kept.value?(Increment(), reading: \.count) ?? (.swallowed, nil)
    }

    #expect(result == .reduced(commit: 1))
    #expect(count == 1)
  }

  @Test func `S7: next called by another thread before the link returned is followed up there`()
    async
  {
    // Given a link that passes its action on from another thread and waits for that
    let told = Recorder<String>()
    let result = Box<DispatchResult?>(nil)
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        let done = ThreadGate()
        Task.detached {
          result.value = next(action)
          told.record("passed on")
          done.open()
        }
        if !done.wait() { told.record("timed out") }
        return result.value ?? .swallowed
      }
    ])
    let subscription = store.subscribe(\.count, initial: false) { told.record("told \($0)") }

    // When
    await runOnThread { _ = store.dispatch(Increment()) }

    // Then
    #expect(result.value == .reduced(commit: 1))
    #expect(told.values == ["told 1", "passed on"])
    subscription.cancel()
  }
}
