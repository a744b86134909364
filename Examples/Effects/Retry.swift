import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// A call that failed is made again, after delays that grow.
private struct Fetch: Action {}
private struct Offline: Error {}

private func fetch(failures: Int) -> MiddlewareItem {
  .effect(on: Fetch.self, .latest) { _, effect in
    let calls = Calls()
    let retry = EffectRetry.exponential(attempts: 3, from: .seconds(1), jitter: { $0 })
    let answer = try await effect.retry(retry, if: { $0 is Offline }) {
      guard await calls.next() > failures else { throw Offline() }
      return await calls.count
    }
    effect.dispatch(Wrote(line: "call \(answer) succeeded"))
  }
}

private actor Calls {
  private(set) var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

@Test func `retry: the third call succeeds, three seconds later`() async {
  let store = diary(fetch(failures: 2))
  await store.send(Fetch())
  await store.clock.advance(by: .seconds(1 + 2))
  await store.receive(Wrote(line: "call 3 succeeded")) { $0.lines = ["call 3 succeeded"] }
  await store.finish()
}

@Test func `retry: after the last call the error is sent`() async {
  let store = diary(fetch(failures: 3))
  await store.send(Fetch())
  await store.clock.advance(by: .seconds(1 + 2))
  await store.receive(EffectFailed.self, where: { $0.error is Offline && $0.attempt == 3 })
  await store.finish()
}
