import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// An effect that asks, and waits for the answer in the form of another action.
private struct Delete: Action { var name: String }
private struct Asked: Action {}
private struct Answered: Action { var isYes: Bool }

private let delete = MiddlewareItem.effect(on: Delete.self, name: "delete") { delete, effect in
  let answer = try await effect.take(Answered.self, timeout: .seconds(60), after: Asked())
  effect.dispatch(
    Wrote(line: answer?.isYes == true ? "deleted \(delete.name)" : "kept \(delete.name)"))
}

@Test func `take: who says yes is heard`() async {
  let store = diary(delete)
  await store.send(Delete(name: "a"))
  await store.receive(Asked.self)
  await store.send(Answered(isYes: true))
  await store.receive(Wrote(line: "deleted a")) { $0.lines = ["deleted a"] }
  await store.finish()
}

@Test func `take: who says nothing for a minute keeps it`() async {
  let store = diary(delete)
  await store.send(Delete(name: "a"))
  await store.receive(Asked.self)
  await store.clock.advance(by: .seconds(60))
  await store.receive(Wrote(line: "kept a")) { $0.lines = ["kept a"] }
  await store.finish()
}
