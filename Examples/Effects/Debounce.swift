import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// A run starts when nothing came for a while, or when something has waited long enough.
private struct Typed: Action { var text: String }

private let suggest = MiddlewareItem.effect(
  on: Typed.self, .debounce(for: .milliseconds(300), maxWait: .seconds(1)), name: "suggest"
) { typed, effect in
  effect.dispatch(Wrote(line: "suggest for \(typed.text)"))
}

@Test func `debounce: who types on is not interrupted, but not for ever`() async {
  let store = diary(suggest)
  for text in ["m", "mi", "mil", "mill"] {
    await store.send(Typed(text: text))
    await store.clock.advance(by: .milliseconds(200))
  }
  await store.clock.advance(by: .milliseconds(100))
  await store.receive(Wrote(line: "suggest for mill")) { $0.lines = ["suggest for mill"] }

  for text in ["r", "ra", "rac", "race", "races", "races!"] {
    await store.send(Typed(text: text))
    await store.clock.advance(by: .milliseconds(199))
  }
  await store.receive(Wrote(line: "suggest for races!")) { $0.lines.append("suggest for races!") }
  await store.finish()
}
