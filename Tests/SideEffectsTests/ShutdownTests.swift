import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// Ending the work of a store in good order.
@Suite(.timeLimit(.minutes(5)))
struct ShutdownTests {
  private struct Follow: Action { var id: Int }

  private let clock = ManualClock()

  @Test func `S16: a store that has nothing to do is shut down at once, and can still be read`()
    async
  {
    let store = makeStore()
    store.dispatch(Begin(id: 1))
    await store.shutdown(grace: .seconds(5), clock: clock)
    #expect(store.state == Journal(begun: [1]))
    #expect(store.followUpDepth == 0)
    await store.idle()
  }

  @Test(arguments: [false, true])
  func `S16: actions of callers are refused and reported, without crashing`(throughLink: Bool)
    async
  {
    // Given a store that was shut down
    let reports = Recorder<Diagnostic>()
    let store = makeStore(
      .effect(on: Begin.self) { _, _ in Issue.record("begun after the shutdown") },
      links: throughLink ? [Middleware { action, _, next in next(action) }] : [],
      diagnostics: { reports.record($0) })
    let told = Recorder<[Int]>()
    let subscription = store.subscribe(\.begun, initial: false) { told.record($0) }
    await store.shutdown(grace: .zero, clock: clock)

    // When
    let line = #line + 1
    await store.dispatch(Begin(id: 1)).finish()

    // Then
    #expect(store.state == Journal())
    #expect(told.values.isEmpty)
    #expect(
      reports.values.map(\.description) == [
        """
        Begin (dispatch #1 at SideEffectsTests/ShutdownTests.swift:\(line)) came to the reducer of \
        a store that was shut down; it was dropped. End what dispatches, or holds actions back, \
        before `shutdown(grace:)`, or make a new store.
        """
      ])
    #expect(reports.values.first?.severity == .warning)
    subscription.cancel()
  }

  @Test func `S16: one may subscribe to a store that was shut down, and is told what there is`()
    async
  {
    let store = makeStore()
    store.dispatch(Begin(id: 1))
    await store.shutdown(grace: .zero, clock: clock)
    let told = Recorder<[Int]>()
    store.subscribe(\.begun) { told.record($0) }.cancel()
    #expect(told.values == [[1]])
  }

  @Test func `S16: within the grace the actions of running effects and items are taken`() async {
    // Given an effect that is running, whose action starts an item and another effect
    let reports = Recorder<Diagnostic>()
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        await gate.wait()
        effect.dispatch(Follow(id: 1))
      },
      .on(Follow.self) { follow, dispatch in if follow.id == 1 { dispatch(Answer(id: 1)) } },
      .effect(on: Follow.self) { follow, effect in
        await Task.yield()
        effect.dispatch(Answer(id: 2))
      }, diagnostics: { reports.record($0) })
    let told = Recorder<[Int]>()
    let subscription = store.subscribe(\.answers, initial: false) { told.record($0) }
    store.dispatch(Begin(id: 1))

    // When the store is shut down, and a caller comes too late
    let closing = Begun { [clock] in await store.shutdown(grace: .seconds(5), clock: clock) }
    await clock.waitForSleeps(1)
    #expect(!closing.isOver)
    store.dispatch(Begin(id: 2))
    gate.open()
    await closing.wait()

    // Then all that the effect led to was taken and told, without any time
    #expect(store.state == Journal(begun: [1], answers: [1, 2]))
    #expect(told.values.last == [1, 2])
    #expect(reports.count == 1)
    subscription.cancel()
  }

  @Test func `S16: when the grace is over the effects that are left are cancelled, not before`()
    async
  {
    // Given an effect that waits until it is cancelled
    let (cancelled, reports) = (Gate(), Recorder<Diagnostic>())
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        await Gate().wait()
        cancelled.open()
        effect.dispatch(Answer(id: 1))
      }, diagnostics: { reports.record($0) })
    let handle = store.dispatch(Begin())
    let closing = Begun { [clock] in await store.shutdown(grace: .seconds(5), clock: clock) }
    await clock.waitForSleeps(1)

    // When all but a moment of the grace has passed
    clock.advance(by: .seconds(5) - .nanoseconds(1))
    #expect(!closing.isOver)
    #expect(!cancelled.isOpen)

    // and then that
    clock.advance(by: .nanoseconds(1))
    await closing.wait()
    await handle.finish()
    #expect(cancelled.isOpen)
    #expect(store.state == Journal(begun: [0]))
    #expect(store.effects.current == 0)
    guard case .actionAfterEffectCancelled = reports.values.first, reports.count == 1 else {
      Issue.record("reported: \(reports.values)")
      return
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `S16: without grace effects are cancelled at once, also those that have not begun`(
    grace: Duration
  ) async {
    // Given a running effect and a queued one
    let (ended, begun) = (Recorder<Int>(), Recorder<Int>())
    let store = makeStore(
      HeldDrain.item,
      .effect(on: Begin.self) { begin, _ in
        begun.record(begin.id)
        if await !Gate().wait() { ended.record(begin.id) }
      })
    store.dispatch(Begin(id: 1))
    let drain = await HeldDrain.begin(on: store)
    store.dispatch(Begin(id: 2))

    // When
    let closing = Begun { [clock] in await store.shutdown(grace: grace, clock: clock) }
    #expect(closing.isOver)

    // Then the one ends, the other never begins, and no clock was asked
    await drain.finish()
    await store.idle()
    #expect(begun.values == [1])
    #expect(ended.values == [1])
    #expect(clock.now == ManualClock().now)
  }

  @Test func `S16: observers are told what was reduced before the shutdown, also afterwards`() async
  {
    // Given values that another thread holds up
    let store = makeStore(HeldDrain.item)
    let told = Recorder<[Int]>()
    let subscription = store.subscribe(\.begun, initial: false) { told.record($0) }
    let drain = await HeldDrain.begin(on: store)
    store.dispatch(Begin(id: 1))

    // When
    await store.shutdown(grace: .zero, clock: clock)
    #expect(told.values.isEmpty)
    await drain.finish()

    // Then
    #expect(told.values == [[1]])
    subscription.cancel()
  }

  @Test func `S16: of two shutdowns at once the shorter grace counts, whichever came first`() async
  {
    for graces in [[9, 3], [3, 9]] {
      let clock = ManualClock()
      let store = makeStore(.effect(on: Begin.self) { _, _ in await Gate().wait() })
      store.dispatch(Begin())
      let closings = graces.map { grace in
        Begun { await store.shutdown(grace: .seconds(grace), clock: clock) }
      }
      await clock.waitForSleeps(2)
      clock.advance(by: .seconds(2))
      #expect(closings.allSatisfy { !$0.isOver })
      clock.advance(by: .seconds(1))
      for closing in closings { await closing.wait() }
      await store.idle()
      #expect(store.effects.current == 0)
      await store.shutdown(grace: .seconds(1), clock: clock)
    }
  }

  @Test func `S16: a shutdown whose task is cancelled cancels the effects that are left`() async {
    let store = makeStore(.effect(on: Begin.self) { _, _ in await Gate().wait() })
    let handle = store.dispatch(Begin())
    let closing = Begun { [clock] in await store.shutdown(grace: .seconds(5), clock: clock) }
    await clock.waitForSleeps(1)
    closing.cancel()
    await closing.wait()
    await handle.finish()
    #expect(store.effects.current == 0)
  }

  @Test func `S16: an effect that shuts its store down is told so, does not wait, and goes on`()
    async
  {
    // Given
    let reports = Recorder<Diagnostic>()
    let (box, clock) = (StoreBox(), clock)
    let store = makeStore(
      .effect(on: Begin.self, name: "selfish") { _, effect in
        await box.store?.shutdown(grace: .seconds(5), clock: clock)
        #expect(!effect.isCancelled)
        effect.dispatch(Answer(id: 1))
      }, diagnostics: { reports.record($0) })
    box.set(store)

    // When
    await store.dispatch(Begin(id: 1)).finish()
    store.dispatch(Begin(id: 2))

    // Then its own action was taken, a caller's is not
    #expect(store.state == Journal(begun: [1], answers: [1]))
    guard
      case .effectWaitsForItself(effect: "selfish", call: "shutdown(grace:)") =
        reports.values.first, case .actionAfterShutdown = reports.values.last, reports.count == 2
    else {
      Issue.record("reported: \(reports.values)")
      return
    }
  }

  @Test func `S16: a shutdown from a reducer is diagnosed and does nothing`() {
    let reports = Recorder<String>()
    let (box, clock) = (StoreBox(), clock)
    let store = makeStore(
      reducer: .combine(
        journalReducer,
        .on(Follow.self) { _, _ in
          _ = startedTask { await box.store?.shutdown(grace: .zero, clock: clock) }
        }), diagnostics: { reports.record("\($0)") })
    box.set(store)

    store.dispatch(Follow(id: 1))
    store.dispatch(Begin(id: 1))

    #expect(reports.count == 1)
    #expect(reports.values.first?.hasPrefix("`shutdown` was called on a store from one of") == true)
    #expect(store.state == Journal(begun: [1]))
  }

  @Test func `S16: a store goes on to its end when it is released while it is shut down`() async {
    // Given a store that only its shutdown holds
    let (gate, freed) = (Gate(), Gate())
    var store: Store<Journal>? = makeStore(
      .effect(on: Begin.self) { _, effect in
        await gate.wait()
        effect.dispatch(Answer(id: 1))
      })
    let probe = DeinitProbe { freed.open() }
    let told = Recorder<[Int]>()
    let subscription = store?.subscribe(\.answers, initial: false) { [probe] answers in
      _ = probe
      told.record(answers)
    }
    store?.dispatch(Begin())
    weak let observed = store
    let closing = startedTask { [clock, store] in
      await store?.shutdown(grace: .seconds(5), clock: clock)
    }
    store = nil
    await clock.waitForSleeps(1)
    #expect(observed != nil)

    // When the effect ends
    gate.open()
    await closing.value

    // Then its action was told
    #expect(told.values == [[1]])
    subscription?.cancel()
  }

  @Test func `S16: no action that was accepted is lost, with four threads and a shutdown at once`()
    async
  {
    for round in 0..<(isThreadSanitized ? 3 : 10) {
      // Given a count of what was refused, and of what was told
      let (refused, told) = (Recorder<Void>(), Box(0))
      let store = Store(
        initialState: 0, reducer: Reducer<Int>.on(Begin.self) { count, _ in count += 1 },
        middleware: [createMiddleware(items: [.effect(on: Begin.self) { _, _ in }])],
        diagnostics: { diagnostic in
          guard case .actionAfterShutdown = diagnostic else { return }
          refused.record(())
        })
      let subscription = store.subscribe({ $0 }, initial: false) { told.value = $0 }

      // When four threads dispatch, and two shut the store down when some of that is done
      await withTaskGroup { group in
        group.addTask {
          await runOnThreads(4) { _ in for _ in 0..<1_000 { store.dispatch(Begin()) } }
        }
        for grace in [round % 2, 1] {
          group.addTask { [clock] in
            while store.state < 50 * round { await Task.yield() }
            await store.shutdown(grace: .seconds(grace), clock: clock)
          }
        }
      }
      await store.idle()

      // Then each action was reduced and told, or refused and reported
      #expect(store.state + refused.count == 4_000)
      #expect(told.value == store.state)
      subscription.cancel()
    }
  }

  @Test func `S16: what a link was handling when the store was shut down is refused and reported`()
    async
  {
    let reports = Recorder<Diagnostic>()
    let box = StoreBox()
    let store = makeStore(
      links: [
        Middleware { action, context, next in
          if action is Begin { context.dispatch(Answer(id: 1)) }
          let result = next(action)
          if action is Follow { #expect(result == .swallowed) }
          return result
        }
      ], diagnostics: { reports.record($0) })
    box.set(store)
    await store.shutdown(grace: .zero, clock: clock)
    store.dispatch(Follow(id: 1))
    store.dispatch(Begin(id: 1))
    #expect(store.state == Journal())
    #expect(reports.count == 3)
  }
}
