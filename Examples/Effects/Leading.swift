import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// An action that comes while a run goes on starts nothing: a button that is pressed twice.
private struct Pay: Action { var amount: Int }

private let pay = MiddlewareItem.effect(on: Pay.self, .leading, name: "pay") { pay, effect in
  try await effect.sleep(for: .seconds(1))
  effect.dispatch(Wrote(line: "paid \(pay.amount)"))
}

@Test func `leading: the second press counts for nothing`() async {
  let store = diary(pay)
  await store.send(Pay(amount: 1))
  await store.send(Pay(amount: 2))
  await store.clock.advance(by: .seconds(1))
  await store.receive(Wrote(line: "paid 1")) { $0.lines = ["paid 1"] }
  await store.finish()
}
