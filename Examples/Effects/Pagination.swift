import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// Each page asks for the next under the key of the list; asking anew starts from the first.
private struct FetchPage: Action, Equatable { var number = 1 }

private let fetchPage = MiddlewareItem.effect(on: FetchPage.self, .latest, name: "fetchPage") {
  page, effect in
  try await effect.sleep(for: .seconds(1))
  effect.dispatch(Wrote(line: "page \(page.number)"))
  // The last thing it does: the next page takes its place.
  if page.number < 3 { effect.dispatch(FetchPage(number: page.number + 1)) }
}

@Test func `pagination: a chain of pages runs to the last`() async {
  let store = diary(fetchPage)
  await store.send(FetchPage())
  for number in 1...3 {
    await store.clock.advance(by: .seconds(1))
    await store.receive(Wrote(line: "page \(number)")) { $0.lines.append("page \(number)") }
    if number < 3 { await store.receive(FetchPage(number: number + 1)) }
  }
  await store.finish()
}
