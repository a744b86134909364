import Middleware
import SideEffects
import Store
import StoreTesting
import Testing

/// Work beside the body: cancelled with it, awaited with it.
private struct LoggedIn: Action {}
private struct LoggedOut: Action {}

private let session = MiddlewareItem.effect(on: LoggedIn.self, .latest, name: "session") {
  _, effect in
  let heartbeat = effect.fork { effect in
    while true {
      try await effect.sleep(for: .seconds(30))
      effect.dispatch(Wrote(line: "still here"))
    }
  }
  _ = try await effect.take(LoggedOut.self)
  heartbeat.cancel()
  effect.dispatch(Wrote(line: "goodbye"))
}

@Test func `fork: the heart beats as long as the session`() async {
  let store = diary(session)
  await store.send(LoggedIn())
  await store.clock.advance(by: .seconds(30))
  await store.receive(Wrote(line: "still here")) { $0.lines = ["still here"] }
  await store.send(LoggedOut())
  await store.receive(Wrote(line: "goodbye")) { $0.lines.append("goodbye") }
  await store.finish()
}
