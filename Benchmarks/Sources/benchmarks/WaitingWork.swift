import CMemory
import Middleware
import SideEffects
import Store

private struct Wait: Action {
  var id: Int
}

private struct Delivered: Action {}

private struct Waits: Equatable {
  var begun = 0
  var delivered = 0
}

private struct Interrupted: Error {}

private let hour = Duration.seconds(3_600)

/// Effects that wait for an hour and are cancelled long before that.
enum WaitingWork: String {
  case sleeps
  case timeouts
  case debounces
  case retries
  case restarts

  /// Starts and cancels so many, and returns by how many bytes the resident memory grew.
  ///
  /// A hundred are alive at a time, or wait in the place of each other; their bodies have returned
  /// before the next come, since otherwise the memory would be theirs.
  func growth(_ operations: Int) async throws -> Int {
    let store = Store(
      initialState: Waits(),
      reducer: .combine(
        .on(Wait.self) { waits, _ in waits.begun += 1 },
        .on(Delivered.self) { waits, _ in waits.delivered += 1 }),
      middleware: [createMiddleware(items: [effect])])
    func run(_ ids: Range<Int>) async {
      for start in stride(from: ids.lowerBound, to: ids.upperBound, by: 100) {
        for id in start..<min(start + 100, ids.upperBound) {
          store.dispatch(Wait(id: id))
        }
        store.cancelEffects(.all)
        await store.idle()
      }
    }
    let warmUp = 5_000
    await run(0..<warmUp)
    let before = Int(cmemory_resident_bytes())
    await run(warmUp..<warmUp + operations)
    let growth = Int(cmemory_resident_bytes()) - before
    try expect(before > 0, equals: true)
    try expect(store.liveEffects().count, equals: 0)
    try expect(store.state, equals: Waits(begun: warmUp + operations))
    if self == .restarts {
      // The last of all still delivers.
      await store.dispatch(Wait(id: -1)).finish()
      try expect(store.state.delivered, equals: 1)
    }
    return growth
  }

  private var effect: MiddlewareItem {
    switch self {
    case .sleeps: .effect(on: Wait.self) { _, effect in try await effect.sleep(for: hour) }
    case .timeouts:
      .effect(on: Wait.self) { wait, effect in
        // Half of the calls are over long before the limit, the others are cancelled.
        try await effect.timeout(after: hour) {
          guard wait.id.isMultiple(of: 2) else { return try await effect.sleep(for: hour) }
          await Task.yield()
        }
      }
    case .debounces:
      // Half of them replace the one before, the others are about something of their own.
      .effect(
        on: Wait.self, key: { $0.id.isMultiple(of: 2) ? 0 : $0.id }, .debounce(for: hour)
      ) { _, effect in effect.dispatch(Delivered()) }
    case .retries:
      .effect(on: Wait.self) { _, effect in
        try await effect.retry(.constant(hour, attempts: 4)) { throw Interrupted() }
      }
    case .restarts:
      .effect(on: Wait.self, .latest) { wait, effect in
        guard wait.id >= 0 else { return _ = effect.dispatch(Delivered()) }
        do { try await effect.sleep(for: hour) } catch { throw Interrupted() }
      }
    }
  }
}
