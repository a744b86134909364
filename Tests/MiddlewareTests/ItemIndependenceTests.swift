import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// Items that fail, wait or block, beside items that do not.
@Suite(.timeLimit(.minutes(5)))
struct ItemIndependenceTests {
  private struct Broken: Error {}

  @Test func `M4: an item that throws or suspends stops no other, for this action or a later one`()
    async
  {
    // Given items that fail at once, fail later and wait, each before one that says it was called
    let gate = Gate()
    let log = Recorder<String>()
    let failures = Recorder<String>()
    let store = makeJournal(items: [
      .effect(on: Increment.self, name: "fails at once") { _, _ in throw Broken() },
      .on(Increment.self) { _, _ in log.record("first") },
      .effect(on: Increment.self, name: "waits") { _, effect in
        await gate.wait()
        effect.dispatch(Note("waited"))
      },
      .on(Increment.self) { _, _ in log.record("second") },
      .effect(on: Increment.self, name: "fails later") { _, _ in
        await Task.yield()
        throw Broken()
      },
      .on(Increment.self) { _, _ in log.record("third") },
      .on(EffectFailed.self) { failed, _ in failures.record("\(failed.name)") },
    ])

    // When
    store.dispatch(Increment())
    store.dispatch(Increment())

    // Then
    #expect(log.values == ["first", "second", "third", "first", "second", "third"])
    gate.open()
    await store.idle()
    #expect(store.state == Journal(count: 2, notes: ["waited", "waited"]))
    #expect(
      failures.values.sorted() == [
        "fails at once", "fails at once", "fails later", "fails later",
      ])
  }

  @Test func `M4: an item that blocks its thread holds what follows up, and no commit`() async {
    // Given an item that blocks until it is let go
    let (isBlocking, mayGoOn) = (ThreadGate(), ThreadGate())
    let log = Recorder<String>()
    let store = makeJournal(items: [
      .on(Increment.self) { _, _ in
        isBlocking.open()
        #expect(mayGoOn.wait())
      },
      MiddlewareItem { action, _ in log.record(label(action)) },
    ])
    async let blocked: Void = runOnThread { _ = store.dispatch(Increment()) }
    #expect(await runOnThread { isBlocking.wait() })

    // When another thread dispatches
    await runOnThread { _ = store.dispatch(Note("A")) }

    // Then its action is reduced, and followed up in its turn
    #expect(store.state == Journal(count: 1, notes: ["A"]))
    #expect(log.values == [])
    mayGoOn.open()
    await blocked
    await store.idle()
    #expect(log.values == ["Increment", "A"])
  }
}
