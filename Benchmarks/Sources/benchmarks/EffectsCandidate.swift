import CMemory
import Middleware
import SideEffects
import Store

private struct Ping: Action {
  var id = 0
}

private struct Pong: Action {}

private struct Rally: Equatable {
  var pings = 0
  var pongs = 0
}

private let rallyReducer = Reducer<Rally>.combine(
  .on(Ping.self) { rally, _ in rally.pings += 1 },
  .on(Pong.self) { rally, _ in rally.pongs += 1 }
)

private func makeStore(_ effect: MiddlewareItem) -> Store<Rally> {
  Store(
    initialState: Rally(), reducer: rallyReducer, middleware: [createMiddleware(items: [effect])])
}

/// A dispatch past a thousand effects of another type of action.
@Sendable
func effectsUnconcerned(_ operations: Int) throws -> Double {
  let effect = MiddlewareItem.effect(on: Ping.self) { _, effect in effect.dispatch(Pong()) }
  let store = Store(
    initialState: Rally(), reducer: rallyReducer,
    middleware: [createMiddleware(items: [MiddlewareItem](repeating: effect, count: 1_000))])
  let time = nanoseconds(for: operations) {
    for _ in 0..<operations {
      store.dispatch(Pong())
    }
  }
  try expect(store.state, equals: Rally(pongs: operations))
  return time
}

/// From a dispatch through an effect that does not suspend to the reduction of what it sends.
@Sendable
func effectRoundtrip(_ operations: Int) throws -> Double {
  try measureRoundtrip(operations, policy: .every)
}

/// The same under a policy that has to know what ran before.
@Sendable
func effectLatest(_ operations: Int) throws -> Double {
  try measureRoundtrip(operations, policy: .latest)
}

private func measureRoundtrip(_ operations: Int, policy: EffectPolicy) throws -> Double {
  let store = makeStore(.effect(on: Ping.self, policy) { _, effect in effect.dispatch(Pong()) })
  let time = nanoseconds(for: operations) {
    for _ in 0..<operations {
      store.dispatch(Ping())
    }
  }
  try expect(store.state, equals: Rally(pings: operations, pongs: operations))
  return time
}

/// The same action again and again while its effect waits for a pause that does not come: each
/// replaces the run that waits.
@Sendable
func effectDebounce(_ operations: Int) async throws -> Double {
  let store = makeStore(
    .effect(on: Ping.self, .debounce(for: .seconds(3_600))) { _, effect in
      effect.dispatch(Pong())
    })
  let time = nanoseconds(for: operations) {
    for _ in 0..<operations {
      store.dispatch(Ping())
    }
  }
  try expect(store.liveEffects().count, equals: 1)
  store.cancelEffects(.all)
  await store.idle()
  try expect(store.state, equals: Rally(pings: operations))
  return time
}

/// The same through an effect that suspends once, awaited once all are under way.
@Sendable
func effectSuspending(_ operations: Int) async throws -> Double {
  let store = makeStore(
    .effect(on: Ping.self) { _, effect in
      await Task.yield()
      effect.dispatch(Pong())
    })
  let time = await nanoseconds(for: operations) {
    for _ in 0..<operations {
      store.dispatch(Ping())
    }
    await store.idle()
  }
  try expect(store.state, equals: Rally(pings: operations, pongs: operations))
  return time
}

/// The memory that a live effect takes which sleeps like the task it is compared with.
@Sendable
func effectBytes(_ operations: Int) async throws -> Double {
  let started = Countdown(operations)
  let ended = Countdown(operations)
  var store: Store<Rally>? = makeStore(
    .effect(on: Ping.self) { _, effect in
      defer { ended.arrive() }
      started.arrive()
      try await effect.sleep(for: .seconds(3_600))
    })
  let before = Int(cmemory_bytes_in_use())
  for _ in 0..<operations {
    store?.dispatch(Ping())
  }
  await started.wait()
  let after = Int(cmemory_bytes_in_use())
  try expect(store?.state.pings, equals: operations)
  try expect(after > before, equals: true)
  // With the store end its effects.
  store = nil
  await ended.wait()
  return Double(after - before) / Double(operations)
}

/// The cancellation of one effect by its key, with as many alive as there are operations.
@Sendable
func effectCancel(_ operations: Int) async throws -> Double {
  let started = Countdown(operations)
  let ended = Countdown(operations)
  var store: Store<Rally>? = makeStore(
    .effect(on: Ping.self, key: \.id) { _, _ in
      defer { ended.arrive() }
      started.arrive()
      try await Task.sleep(for: .seconds(3_600))
    })
  for id in 0..<operations {
    store?.dispatch(Ping(id: id))
  }
  await started.wait()

  // Spread over all that are alive, so that no order of keeping them is favoured.
  let cancelled = max(1, min(operations / 10, 200))
  let ids = (0..<cancelled).map { $0 * (operations / cancelled) }
  let time = nanoseconds(for: cancelled) {
    for id in ids {
      store?.cancelEffects(.key(id))
    }
  }
  try expect(store?.state.pings, equals: operations)
  store = nil
  await ended.wait()
  return time
}
