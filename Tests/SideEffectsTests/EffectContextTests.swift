import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// Whose work it is that runs on an effect's thread, or in a task that an effect left behind.
@Suite(.timeLimit(.minutes(5)))
struct EffectContextTests {
  private struct Start: Action {}
  private struct Step: Action {}

  private static let reducer = Reducer<Int>.on(Step.self) { steps, _ in steps += 1 }

  /// Where somebody makes a task that waits until the store is idle.
  enum Place: CaseIterable { case item, link }

  @Test(arguments: Place.allCases, [false, true])
  func `S16: a task made by an item or a link for an effect's action may wait for the store`(
    place: Place, suspends: Bool
  ) async {
    // Given an effect that sends an action and then waits
    let (gate, idle) = (Gate(), Gate())
    let reports = Recorder<String>()
    let box = Box<Store<Int>?>(nil)
    let wait: @Sendable () -> Void = {
      Task {
        await box.value?.idle()
        idle.open()
      }
    }
    let link = Middleware<Int> { action, _, next in
      if place == .link, action is Step { wait() }
      return next(action)
    }
    let store = Store(
      initialState: 0, reducer: Self.reducer,
      middleware: [
        link,
        createMiddleware(items: [
          .effect(on: Start.self) { _, effect in
            // A suspension, after which the body is no longer on the thread that follows up.
            if suspends { await Task.yield() }
            effect.dispatch(Step())
            _ = await gate.wait()
          },
          .on(Step.self) { _, _ in if place == .item { wait() } },
        ]),
      ], diagnostics: { reports.record("\($0)") })
    box.value = store

    // When
    let handle = store.dispatch(Start())
    gate.open()
    await handle.finish()
    _ = await idle.wait()

    // Then it waited like anybody else
    #expect(reports.values == [])
    box.value = nil
  }

  @Test func `S16: a stray task that waits does not keep the effect that left it unfinished`() async
  {
    // Given an effect whose body leaves a task behind, which waits for something that does not end
    struct Endless: Action {}
    let (gate, left) = (Gate(), Gate())
    let store = Store(
      initialState: 0, reducer: Self.reducer,
      middleware: [
        createMiddleware(items: [
          .effect(on: Start.self) { _, effect in
            let handle = effect.dispatch(Endless())
            _ = handle
            let other = Self.makeEndless(until: gate)
            Task {
              left.open()
              await other.finish()
            }
            _ = await left.wait()
          }
        ])
      ])

    // Then it is over when its body is
    await store.dispatch(Start()).finish()
    gate.open()
  }

  /// A dispatch of another store that ends when the gate opens.
  private static func makeEndless(until gate: Gate) -> DispatchHandle {
    let store = Store(
      initialState: 0, reducer: reducer,
      middleware: [
        createMiddleware(items: [.effect(on: Start.self) { _, _ in _ = await gate.wait() }])
      ])
    let handle = store.dispatch(Start())
    Task { await store.idle() }
    return handle
  }

  @Test func `E23: a reducer that catches every action does not count as handling failures`() async
  {
    struct Broken: Error {}
    for isWrapped in [false, true] {
      let reports = Recorder<Diagnostic>()
      let store = Store(
        initialState: 0,
        reducer: isWrapped ? Reducer(wrapping: { _, state in state ?? 0 }) : Self.reducer,
        middleware: [
          createMiddleware(items: [.effect(on: Start.self) { _, _ in throw Broken() }])
        ], diagnostics: { reports.record($0) })
      await store.dispatch(Start()).finish()
      guard case .unhandledEffectFailure? = reports.values.first else {
        Issue.record("wrapped: \(isWrapped), \(reports.values)")
        continue
      }
    }
  }
}
