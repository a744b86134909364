import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@testable import StoreTesting

/// Actions that are received as a group.
@Suite(.timeLimit(.minutes(5)))
struct AnyOrderTests {
  let failures = Recorder<String>()

  private struct Loaded: Action, Equatable { var name: String }
  private struct Begin: Action {}
  private struct Names: Equatable, Sendable {
    var names: [String] = []
    var count = 0
  }

  private let reducer = Reducer<Names>.on(Loaded.self) { names, action in
    names.names.append(action.name)
    names.count += 1
  }

  /// Sends a name after as many seconds as it has letters.
  private func loads(_ name: String) -> MiddlewareItem {
    .effect(on: Begin.self, name: "loads") { _, effect in
      try await effect.sleep(for: .seconds(name.count))
      effect.dispatch(Loaded(name: name))
    }
  }

  private func testStore(
    _ exhaustivity: Exhaustivity = .on, _ names: String...
  ) async -> TestStore<Names> {
    let store = TestStore(
      initialState: BoxedValue(Names()), reducer: reducer,
      middleware: [createMiddleware(items: names.map(loads))], exhaustivity: exhaustivity,
      limit: .seconds(3600), report: { text, _ in failures.record(text) },
      creation: TestLocation("T/T.swift", "T", 1, 1))
    await store.send(Begin(), fileID: "T/T.swift", line: 12)
    await store.clock.advance(by: .seconds(3))
    return store
  }

  private func expect(_ name: String) -> ExpectedAction<Names> {
    .action(Loaded(name: name)) {
      $0.names.append(name)
      $0.count += 1
    }
  }

  @Test func `T2: a group is received in any order, each with its own change`() async {
    let store = await testStore(.on, "a", "bb", "ccc")
    await store.receive(inAnyOrder: expect("ccc"), expect("a"), expect("bb"))
    #expect(store.state == Names(names: ["a", "bb", "ccc"], count: 3))
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T2: in a group the narrower expectation is found, whatever stands first`() async {
    let store = await testStore(.on, "a", "bb", "ccc")
    let any = ExpectedAction<Names>.action(Loaded.self, where: { $0.name.count < 3 }) {
      $0.names.append($0.count == 0 ? "a" : "bb")
      $0.count += 1
    }
    await store.receive(inAnyOrder: any, expect("a"), expect("ccc"))
    await store.finish()
    #expect(failures.values == [])
  }

  @Test func `T2: another change in a group fails at its action`() async {
    let store = await testStore(.on, "a", "bb")
    await store.receive(
      inAnyOrder: expect("bb"), .action(Loaded(name: "a")) { $0.names.append("a") })
    #expect(
      failures.values == [
        """
        Loaded(name: "a") made another change than expected:
          count: expected 0, got 1
        The closure starts from the state before the action; let it describe what the action makes \
        of it.
        """
      ])
    await store.finish()
  }

  @Test func `T2: an action that is in no group fails, and those before it are asserted`() async {
    let store = await testStore(.on, "a", "bb", "ccc")
    await store.receive(
      inAnyOrder: expect("x"), .action(Loaded(name: "a")) { $0.count = 9 }, expect("ccc"))
    #expect(failures.count == 2)
    #expect(
      failures.values.first?.hasPrefix(
        """
        Received Loaded(name: "bb"), expected one of: Loaded(name: "x"), Loaded(name: "ccc").
        It was sent as dispatch #3 at
        """) == true)
    #expect(
      failures.values.last?.hasPrefix("Loaded(name: \"a\") made another change than") == true)
    await store.receive(Loaded(name: "ccc")) { $0 = Names(names: $0.names + ["ccc"], count: 3) }
    await store.finish()
    #expect(failures.count == 2)
  }

  @Test func `T2: a group of which one does not come says which at once`() async {
    let store = await testStore(.on, "a", "bbbb")
    await store.receive(inAnyOrder: expect("bbbb"), expect("a"))
    #expect(
      failures.values == [
        """
        No action is coming: effect ‘loads’ (from send at T/T.swift:12), 3 s old, sleeps until +4 s.
        Expected Loaded(name: "bbbb").
        Advance the clock: `await store.clock.advance(by: .seconds(1))`.
        """
      ])
    store.cancelEffects(.all)
    await store.finish()
    #expect(failures.count == 1)
  }

  @Test func `T2: not exhaustive, a group skips what is not in it`() async {
    let store = await testStore(.off, "a", "bb", "a", "ccc")
    await store.receive(
      inAnyOrder: .action(Loaded(name: "ccc")) { $0.count = 4 }, .action(Loaded(name: "a")))
    #expect(store.state.count == 4)
    #expect(failures.values == [])
  }

  @Test func `T2: matching finds a place for each where there is one`() {
    var matching = GroupMatching(expectationCount: 3)
    let fits = [[0, 1], [0], [1, 0], [], [1, 2]].map { matching.add(fitting: $0) }
    #expect(fits == [true, true, false, false, true])
    #expect(matching.assigned == [1, 0, 2])
    #expect(matching.open.isEmpty)
  }

  @Test func `T2: a place that is free is taken, and the others are open`() {
    var matching = GroupMatching(expectationCount: 3)
    let fits = matching.add(fitting: [1])
    #expect(fits)
    #expect(matching.open == [0, 2])
  }
}
