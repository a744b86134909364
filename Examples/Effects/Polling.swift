import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// Asks again and again, until it is told to stop.
private struct Watch: Action {}

private let watch = MiddlewareItem.effect(on: Watch.self, .latest, name: "watch") { _, effect in
  let progress = Progress()
  try await effect.poll(every: .seconds(5)) {
    let percent = await progress.next()
    effect.dispatch(Wrote(line: "\(percent) %"))
    return percent < 100 ? .again : .done
  }
}

private actor Progress {
  private var percent = 0

  func next() -> Int {
    percent += 50
    return percent
  }
}

@Test func `polling: it ends by itself when all is done`() async {
  let store = diary(watch)
  await store.send(Watch())
  await store.receive(Wrote(line: "50 %")) { $0.lines = ["50 %"] }
  await store.clock.advance(by: .seconds(5))
  await store.receive(Wrote(line: "100 %")) { $0.lines.append("100 %") }
  await store.finish()
}
