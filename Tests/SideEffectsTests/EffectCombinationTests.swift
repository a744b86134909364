import Dispatch
import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// What goes wrong when two mechanisms meet: keys and classes, links and cancels, waits and waits.
@Suite(.timeLimit(.minutes(5)))
struct EffectCombinationTests {
  private class Resource: Hashable, @unchecked Sendable {
    let id: Int
    init(id: Int) { self.id = id }
    static func == (first: Resource, second: Resource) -> Bool { first.id == second.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }
  private final class Picture: Resource, @unchecked Sendable {}

  /// A key whose `==` does what no `==` may do.
  private struct NosyKey: Hashable, Sendable {
    let look: @Sendable () -> Void
    static func == (first: NosyKey, second: NosyKey) -> Bool {
      first.look()
      return true
    }
    func hash(into hasher: inout Hasher) {}
  }

  private enum Place {
    @TaskLocal static var name = "nowhere"
  }

  @Test func `E1: an effect of an item's action has the task-locals of the item's cause`() async {
    let seen = Recorder<String>()
    let store = makeStore(
      HeldDrain.item,
      .on(Answer.self) { _, dispatch in dispatch(Begin()) },
      .effect(on: Begin.self) { _, _ in seen.record(Place.name) })
    let drain = await HeldDrain.begin(on: store) { dispatch in
      Place.$name.withValue("the thread that follows up") { dispatch() }
    }
    _ = Place.$name.withValue("the dispatcher") { store.dispatch(Answer()) }
    await drain.finish()
    await store.idle()
    #expect(seen.values == ["the dispatcher"])
  }

  @Test func `E1: an item behind a link has the context of its dispatch`() async {
    let seen = Recorder<String>()
    let store = makeStore(
      HeldDrain.item,
      .on(Answer.self) { _, _ in seen.record(Place.name) },
      links: [Middleware { action, _, next in next(action) }])
    let drain = await HeldDrain.begin(on: store) { dispatch in
      Place.$name.withValue("the thread that follows up") { dispatch() }
    }
    _ = Place.$name.withValue("the dispatcher") { store.dispatch(Answer()) }
    await drain.finish()
    await store.idle()
    #expect(seen.values == ["the dispatcher"])
  }

  @Test func `E8: a key whose deinit calls the store is found and harms nothing`() async {
    final class Job: Hashable, Sendable {
      let onEnd: @Sendable () -> Void
      init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
      static func == (first: Job, second: Job) -> Bool { first === second }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    let (box, diagnostics) = (StoreBox(), Recorder<String>())
    let store = makeStore(
      .effect(
        on: Begin.self,
        key: { _ in
          Job {
            box.store?.dispatch(Answer()); box.store?.cancelEffects(.all)
          }
        }, .latest
      ) { _, _ in await Task.yield() },
      diagnostics: { diagnostics.record("\($0)") })
    box.set(store)
    for _ in 0..<100 { store.dispatch(Begin()) }
    await store.idle()
    store.dispatch(Answer(id: 7))
    #expect(store.state.answers.last == 7)
  }

  @Test func `E23: a cancellation error of an effect that was not cancelled is a failure`() async {
    let failures = Recorder<String>()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, _ in
        let other = Task { try await Task.sleep(for: .seconds(3600)) }
        other.cancel()
        try await other.value
      },
      .on(EffectFailed.self) { failure, _ in failures.record("\(failure.name): \(failure.error)") },
      diagnostics: { _ in })
    await store.dispatch(Begin()).finish()
    #expect(failures.values == ["work: CancellationError()"])
  }

  @Test func `E13: a key that is an object of a subclass is equal to itself`() async {
    let (gate, ends) = (Gate(), Recorder<String>())
    let key: @Sendable (Begin) -> any Hashable & Sendable = { _ in
      let resource: Resource = Picture(id: 7)
      return resource
    }
    let store = makeStore(
      .effect(on: Begin.self, key: key, .latest) { action, effect in
        await gate.wait()
        ends.record("\(action.id) \(effect.isCancelled ? "cancelled" : "ran to its end")")
      })
    let first = store.dispatch(Begin(id: 1))
    store.dispatch(Begin(id: 2))
    gate.open()
    await first.finish()
    await store.idle()
    #expect(Set(ends.values) == ["1 cancelled", "2 ran to its end"])
  }

  @Test func `E6: what a cancelled effect sends reaches no link`() async {
    let (gate, seen) = (Gate(), Recorder<Int>())
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          Task {
            await gate.wait()
            continuation.resume()
          }
        }
        effect.dispatch(Answer(id: 1))
      },
      links: [
        // As a thunk does, and every ReSwift middleware that dispatches.
        Middleware { action, context, next in
          guard let answer = action as? Answer, answer.id < 100 else { return next(action) }
          seen.record(answer.id)
          context.dispatch(Answer(id: answer.id + 100))
          return .swallowed
        }
      ], diagnostics: { _ in })
    let handle = store.dispatch(Begin())
    store.cancelEffects(.all)
    gate.open()
    await handle.finish()
    #expect(seen.values.isEmpty)
    #expect(store.state.answers.isEmpty)
  }

  @Test func `S16: a task of an observer waits also while the effect runs that told it`() async {
    let (gate, diagnostics) = (Gate(), Recorder<String>())
    let waits = Recorder<Task<Void, Never>>()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        await Task.yield()
        effect.dispatch(Answer())
        await gate.wait()
      }, diagnostics: { diagnostics.record("\($0)") })
    let subscription = store.subscribe(\.answers, initial: false) { [weak store] _ in
      waits.record(startedTask { await store?.idle() })
    }
    store.dispatch(Begin())
    let waiting = await waits.waitForCount(1)[0]
    #expect(diagnostics.values.isEmpty)
    gate.open()
    await waiting.value
    subscription.cancel()
  }

  @Test func `S16: two effects that wait for each other are told so`() async {
    let (gate, diagnosed) = (Gate(), Gate())
    let handles = Recorder<DispatchHandle>()
    let store = makeStore(
      .effect(on: Begin.self) { action, _ in
        await gate.wait()
        await handles.values[1 - action.id].finish()
      }, diagnostics: { _ in diagnosed.open() })
    handles.record(store.dispatch(Begin(id: 0)))
    handles.record(store.dispatch(Begin(id: 1)))
    gate.open()
    _ = await diagnosed.wait()
    #expect(diagnosed.isOpen)
    store.cancelEffects(.all)
    await store.idle()
  }

  @Test func `S16: finish waits for what a link passed on upon another thread`() async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { _, _ in await gate.wait() },
      links: [
        Middleware { action, _, next in
          let result = Recorder<DispatchResult>()
          let passed = ThreadGate()
          onNewThread {
            result.record(next(action))
            passed.open()
          }
          passed.wait()
          return result.values[0]
        }
      ])
    let handle = store.dispatch(Begin())
    let finishing = Begun { await handle.finish() }
    #expect(!finishing.isOver)
    gate.open()
    await finishing.wait()
    await store.idle()
  }

  @Test func `E7: cancelling interrupts at once also a run that is about to be replaced`() async {
    let (interrupted, box) = (ThreadGate(), Recorder<Int>())
    let store = makeStore(
      HeldDrain.item,
      .effect(on: Begin.self, .latest) { action, _ in
        await withTaskCancellationHandler {
          _ = await Gate().wait()
        } onCancel: {
          box.record(action.id)
          interrupted.open()
        }
      })
    store.dispatch(Begin(id: 1))
    let drain = await HeldDrain.begin(on: store)
    store.dispatch(Begin(id: 2))
    store.cancelEffects(.all)
    #expect(box.values == [1])
    await drain.finish()
    await store.idle()
  }

  @Test func `E23: a failure reaches the links, which may be all that handles it`() async {
    struct Broken: Error {}
    let seen = Recorder<String>()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, _ in throw Broken() },
      links: [
        Middleware { action, _, next in
          guard let failure = action as? EffectFailed else { return next(action) }
          seen.record("\(failure.name)")
          return .swallowed
        }
      ], diagnostics: { _ in })
    await store.dispatch(Begin()).finish()
    #expect(seen.values == ["work"])
  }

  @Test func `S8: a key whose == calls the store is found also when it cancels`() async {
    await #expect(processExitsWith: .success) {
      let (box, diagnostics) = (StoreBox(), Recorder<String>())
      let key = NosyKey { box.store?.dispatch(Answer()) }
      let store = makeStore(
        .effect(on: Begin.self, key: { _ in key }) { _, _ in _ = await Gate().wait() },
        diagnostics: { diagnostics.record("\($0)") })
      box.set(store)
      store.dispatch(Begin())
      store.cancelEffects(.key(key))
      #expect(!diagnostics.values.isEmpty)
    }
  }
}
