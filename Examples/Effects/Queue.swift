import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// One run after the other, in the order of the actions: nothing overtakes.
private struct Print: Action { var page: Int }

private let print = MiddlewareItem.effect(on: Print.self, .queue, name: "print") { print, effect in
  try await effect.sleep(for: .seconds(3 - print.page))
  effect.dispatch(Wrote(line: "page \(print.page)"))
}

@Test func `queue: the quicker page waits for the slower one before it`() async {
  let store = diary(print)
  await store.send(Print(page: 1))
  await store.send(Print(page: 2))
  await store.clock.advance(by: .seconds(3))
  await store.receive(Wrote(line: "page 1")) { $0.lines = ["page 1"] }
  await store.receive(Wrote(line: "page 2")) { $0.lines.append("page 2") }
  await store.finish()
}
