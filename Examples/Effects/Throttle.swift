import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// At most one run in each window of time; the last action of a window is not lost.
private struct Scrolled: Action { var line: Int }

private let report = MiddlewareItem.effect(
  on: Scrolled.self, .throttle(for: .milliseconds(100)), name: "report"
) { scrolled, effect in
  effect.dispatch(Wrote(line: "at \(scrolled.line)"))
}

@Test func `throttle: the first at once, and the last when the window closes`() async {
  let store = diary(report)
  await store.send(Scrolled(line: 0))
  await store.receive(Wrote(line: "at 0")) { $0.lines = ["at 0"] }
  for line in 1...5 {
    await store.clock.advance(by: .milliseconds(10))
    await store.send(Scrolled(line: line))
  }
  await store.clock.advance(by: .milliseconds(50))
  await store.receive(Wrote(line: "at 5")) { $0.lines.append("at 5") }
  await store.finish()
}
