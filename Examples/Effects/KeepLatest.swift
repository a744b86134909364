import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// One run goes on, and of what comes meanwhile the newest waits: saving a draft.
private struct Edit: Action { var text: String }

private let save = MiddlewareItem.effect(on: Edit.self, .keepLatest, name: "save") { edit, effect in
  try await effect.sleep(for: .seconds(1))
  effect.dispatch(Wrote(line: "saved \(edit.text)"))
}

@Test func `keepLatest: a save is not cut off, and the last edit is saved after it`() async {
  let store = diary(save)
  for text in ["M", "Mi", "Mill"] { await store.send(Edit(text: text)) }
  await store.clock.advance(by: .seconds(2))
  await store.receive(Wrote(line: "saved M")) { $0.lines = ["saved M"] }
  await store.receive(Wrote(line: "saved Mill")) { $0.lines.append("saved Mill") }
  await store.finish()
}
