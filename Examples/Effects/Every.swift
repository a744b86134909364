import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// Each action starts a run of its own; runs overlap.
private struct Photo: Action { var name: String }

private let upload = MiddlewareItem.effect(on: Photo.self, .every, name: "upload") {
  photo, effect in
  try await effect.sleep(for: .seconds(photo.name == "large" ? 2 : 1))
  effect.dispatch(Wrote(line: "uploaded \(photo.name)"))
}

@Test func `every: two uploads go on at the same time`() async {
  let store = diary(upload)
  await store.send(Photo(name: "large"))
  await store.send(Photo(name: "small"))
  await store.clock.advance(by: .seconds(2))
  await store.receive(Wrote(line: "uploaded small")) { $0.lines = ["uploaded small"] }
  await store.receive(Wrote(line: "uploaded large")) { $0.lines.append("uploaded large") }
  await store.finish()
}
