import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// Two mirrors are asked, and the first answer counts.
private struct Download: Action {}

private let download = MiddlewareItem.effect(on: Download.self, name: "download") { _, effect in
  let mirror = try await effect.race(
    {
      try await effect.sleep(for: .seconds(2))
      return "Oslo"
    },
    {
      try await effect.sleep(for: .seconds(1))
      return "Turin"
    })
  effect.dispatch(Wrote(line: "from \(mirror)"))
}

@Test func `race: the quicker mirror wins, and the other is cancelled`() async {
  let store = diary(download)
  await store.send(Download())
  await store.clock.advance(by: .seconds(1))
  await store.receive(Wrote(line: "from Turin")) { $0.lines = ["from Turin"] }
  await store.finish()
}
