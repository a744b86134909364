import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// Deletes after ten seconds, in which it can be undone.
private struct Delete: Action { var name: String }
private struct Undo: Action { var name: String }

private let delete = MiddlewareItem.effect(
  on: Delete.self, key: \.name, .latest, name: "delete"
) { delete, effect in
  let undo = try await effect.take(
    Undo.self, where: { $0.name == delete.name }, timeout: .seconds(10))
  if undo == nil { effect.dispatch(Wrote(line: "deleted \(delete.name)")) }
}

@Test func `undo: what is undone in time stays`() async {
  let store = diary(delete)
  await store.send(Delete(name: "a"))
  await store.send(Delete(name: "b"))
  await store.clock.advance(by: .seconds(9))
  await store.send(Undo(name: "a"))
  await store.clock.advance(by: .seconds(1))
  await store.receive(Wrote(line: "deleted b")) { $0.lines = ["deleted b"] }
  await store.finish()
}
