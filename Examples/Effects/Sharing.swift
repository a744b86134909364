import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// Two views ask for the same thing: one call answers both.
private struct Load: Action { var city: String }

private func load(calls: Calls) -> MiddlewareItem {
  .effect(on: Load.self, key: \.city, .every) { load, effect in
    let weather = try await effect.share {
      let call = await calls.next()
      try await effect.sleep(for: .seconds(1))
      return "call \(call)"
    }
    effect.dispatch(Wrote(line: "\(load.city): \(weather)"))
  }
}

private actor Calls {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

@Test func `sharing: the second that asks waits for the call of the first`() async {
  let store = diary(load(calls: Calls()))
  await store.send(Load(city: "Graz"))
  await store.send(Load(city: "Graz"))
  await store.clock.advance(by: .seconds(1))
  await store.receive(Wrote(line: "Graz: call 1")) { $0.lines = ["Graz: call 1"] }
  await store.receive(Wrote(line: "Graz: call 1")) { $0.lines.append("Graz: call 1") }
  await store.finish()
}
