import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EffectStartTests {
  @TaskLocal private static var place = "nowhere"

  @Test func `E1: an effect is registered in the commit of its action`() async {
    // Given a store whose follow-up another thread does, and is busy with
    let ran = Gate()
    let store = makeStore(
      HeldDrain.item, .effect(on: Begin.self, name: "work") { _, _ in ran.open() })
    let drain = await HeldDrain.begin(on: store)
    // When an action is dispatched that starts an effect
    let handle = store.dispatch(Begin())
    // Then the effect has not begun, but is there to be waited for
    #expect(!ran.isOpen)
    let finishing = Begun { await handle.finish() }
    #expect(!finishing.isOver)
    // And begins when that thread comes to it
    await drain.finish()
    #expect(ran.isOpen)
    await finishing.wait()
  }

  @Test func `E1: an effect runs up to its first suspension before dispatch returns`() async {
    let stretches = Recorder<String>()
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { _, _ in
        stretches.record("before")
        await gate.wait()
        stretches.record("after")
      })
    let handle = store.dispatch(Begin())
    #expect(stretches.values == ["before"])
    gate.open()
    await handle.finish()
    #expect(stretches.values == ["before", "after"])
  }

  @Test func `E1: effects start after the observers, in the order registered`() {
    let order = Recorder<String>()
    let store = makeStore(
      .effect(on: Begin.self) { action, _ in order.record("first \(action.id)") },
      .on(Begin.self) { action, _ in order.record("item \(action.id)") },
      .effect(on: Begin.self) { action, _ in order.record("second \(action.id)") })
    let subscription = store.subscribe(\.begun, initial: false) { begun in
      order.record("observed \(begun.count)")
      if begun.count == 1 { store.dispatch(Begin(id: 2)) }
    }
    store.dispatch(Begin(id: 1))
    #expect(
      order.values == [
        "observed 1", "first 1", "item 1", "second 1",
        "observed 2", "first 2", "item 2", "second 2",
      ])
    subscription.cancel()
  }

  @Test func `E1: effects started in one turn start in the order of their actions`() async {
    let order = Recorder<Int>()
    let store = makeStore(
      HeldDrain.item, .effect(on: Begin.self) { action, _ in order.record(action.id) })
    let drain = await HeldDrain.begin(on: store)
    for id in 0..<1_000 { store.dispatch(Begin(id: id)) }
    #expect(order.values.isEmpty)
    await drain.finish()
    #expect(order.values == Array(0..<1_000))
  }

  @Test func `S3: A sends B and C, B sends D: effects reduce A, B, C, D`() async {
    let sends = [1: [2, 3], 2: [4]]
    let began = Recorder<Int>()
    let store = makeStore(
      .effect(on: Begin.self) { action, effect in
        began.record(action.id)
        for id in sends[action.id] ?? [] { effect.dispatch(Begin(id: id)) }
      })
    store.dispatch(Begin(id: 1))
    #expect(store.state.begun == [1, 2, 3, 4])
    #expect(began.values == [1, 2, 3, 4])
    await store.idle()
  }

  @Test func `E1: the state that an effect reads contains its action`() async throws {
    let seen = Recorder<[Int]?>()
    let gate = Gate()
    let effect = StateItem<Journal>.effect(on: Begin.self, reading: \.begun) { _, effect, begun in
      seen.record(begun())
      await gate.wait()
      seen.record(begun())
    }
    let store = Store(
      initialState: Journal(), reducer: journalReducer,
      middleware: [createMiddleware(items: [effect])])
    let handle = store.dispatch(Begin(id: 1))
    #expect(seen.values == [[1]])
    // It reads what the state is then, not what it was.
    let later = store.dispatch(Begin(id: 2))
    #expect(seen.values == [[1], [1, 2]])
    gate.open()
    await handle.finish()
    await later.finish()
    #expect(seen.values == [[1], [1, 2], [1, 2], [1, 2]])
  }

  @Test func `E1: an effect has the task-locals of its dispatch, not of who follows up`() async {
    let seen = Recorder<String>()
    let store = makeStore(
      HeldDrain.item,
      .effect(on: Begin.self) { _, _ in
        seen.record(Self.place)
        // A suspension: before it and after it the body runs on different threads.
        await Task.yield()
        seen.record(Self.place)
      })
    let drain = await HeldDrain.begin(on: store) { dispatch in
      Self.$place.withValue("the thread that follows up") { dispatch() }
    }
    let handle = Self.$place.withValue("the dispatcher") { store.dispatch(Begin()) }
    await drain.finish()
    await handle.finish()
    #expect(seen.values == ["the dispatcher", "the dispatcher"])
  }

  @Test func `E1: a dispatch inside follow-up gives its effect the task-locals around it`() {
    let seen = Recorder<String>()
    let store = makeStore(
      .effect(on: Begin.self) { action, _ in seen.record("\(action.id) \(Self.place)") })
    let subscription = store.subscribe(\.begun, initial: false) { begun in
      guard begun.count == 1 else { return }
      _ = Self.$place.withValue("inside") { store.dispatch(Begin(id: 2)) }
    }
    Self.$place.withValue("outside") {
      store.dispatch(Begin(id: 1))
      // And the dispatcher keeps its own.
      #expect(Self.place == "outside")
    }
    #expect(seen.values == ["1 outside", "2 inside"])
    subscription.cancel()
  }

  @Test(arguments: [TaskPriority.background, .low, .high])
  func `E1: an effect has the priority of its dispatch, not of who follows up`(
    priority: TaskPriority
  ) async {
    let seen = Recorder<TaskPriority?>()
    let store = makeStore(
      HeldDrain.item,
      .effect(on: Begin.self) { _, _ in
        seen.record(Task.basePriority)
        // A suspension, as above.
        await Task.yield()
        seen.record(Task.basePriority)
      })
    let drain = await HeldDrain.begin(on: store)
    // Waited for with a gate, because awaiting the task would raise its priority.
    let dispatched = Gate()
    Task(priority: priority) {
      store.dispatch(Begin())
      dispatched.open()
    }
    await dispatched.wait()
    await drain.finish()
    #expect(await seen.waitForCount(2) == [priority, priority])
  }

  @Test func `E1: an effect knows its name and the dispatch that started it`() async throws {
    let seen = Recorder<(EffectName, DispatchIdentity)>()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        seen.record((effect.name, effect.origin))
      })
    store.dispatch(Answer())
    store.dispatch(Begin(), fileID: "App/View.swift", line: 12)
    let (name, origin) = try #require(seen.values.first)
    #expect(name == "work")
    #expect(origin.number == 2)
    #expect(origin.cause == .caller)
    #expect(origin.source.description == "App/View.swift:12")
  }

  @Test func `E1: an effect without a name has that of the function that makes it`() {
    let seen = Recorder<EffectName>()
    func greet(greeting: String) -> MiddlewareItem {
      .effect(on: Begin.self) { _, effect in seen.record(effect.name) }
    }
    makeStore(greet(greeting: "hello")).dispatch(Begin())
    #expect(seen.values == ["greet"])
  }

  @Test func `E3: an action that no effect handles leaves nothing to wait for`() {
    let store = makeStore(.effect(on: Begin.self) { _, _ in Issue.record("nothing began it") })
    let handle = store.dispatch(Answer())
    #expect(Begun { await handle.finish() }.isOver)
    #expect(Begun { await store.idle() }.isOver)
  }

  @Test func `E3: an action of another type, or for which there is no payload, makes no run`()
    throws
  {
    struct Unhandled: Action {}
    let origins = Recorder<DispatchIdentity.Cause>()
    let store = makeStore(
      .effect(on: Begin.self, for: { $0.id < 0 ? $0.id : nil }) { id, effect in
        effect.dispatch(Answer(id: id))
      },
      links: [
        Middleware { action, context, next in
          if action is Answer { origins.record(context.identity.cause) }
          return next(action)
        }
      ])
    for id in 0..<100 {
      store.dispatch(Begin(id: id))
      store.dispatch(Unhandled())
    }
    #expect(Begun { await store.idle() }.isOver)
    store.dispatch(Begin(id: -1))
    // Runs are counted in each store, and this is the first.
    let cause = try #require(origins.values.first)
    guard case .effect(_, let number) = cause else {
      Issue.record("sent by \(cause)")
      return
    }
    #expect(number == 1)
  }
}
