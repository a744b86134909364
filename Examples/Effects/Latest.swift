import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// A new action cancels the run before it: only what was asked last counts.
private struct Search: Action { var text: String }

private let search = MiddlewareItem.effect(on: Search.self, .latest, name: "search") {
  search, effect in
  try await effect.sleep(for: .seconds(1))
  effect.dispatch(Wrote(line: "found \(search.text)"))
}

@Test func `latest: the search for what was typed before is cancelled`() async {
  let store = diary(search)
  await store.send(Search(text: "mi"))
  await store.send(Search(text: "mill"))
  await store.clock.advance(by: .seconds(1))
  await store.receive(Wrote(line: "found mill")) { $0.lines = ["found mill"] }
  await store.finish()
}
