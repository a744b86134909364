import Middleware
import SideEffects
import Store
import StoreTesting
import TestSupport
import Testing

/// What a store tells of the effects that are alive.
@Suite(.timeLimit(.minutes(5)))
struct LiveEffectTests {
  private struct Broken: Error {}

  @Test func `E28: a live effect has a name, a key, an origin and an age`() async throws {
    let bench = TimedStore(
      .effect(on: Begin.self, key: \.id, name: "work") { _, effect in
        try await effect.sleep(for: .seconds(9))
      })
    bench.store.dispatch(Begin(id: 7), fileID: "App/View.swift", line: 12)
    await bench.advance(by: .seconds(1))
    bench.store.dispatch(Begin(id: 8), fileID: "App/View.swift", line: 13)
    await bench.advance(by: .milliseconds(500))
    let runs = bench.store.liveEffects()
    #expect(runs.map(\.number) == [1, 2])
    #expect(runs.map(\.name) == ["work", "work"])
    #expect(runs.map { $0.key as? Int } == [7, 8])
    #expect(runs.map(\.origin.number) == [1, 2])
    #expect(runs.map(\.age) == [.milliseconds(1_500), .milliseconds(500)])
    #expect(runs.map(\.attempt) == [1, 1])
    #expect(runs.map(\.isBackground) == [false, false])
    #expect(runs.map(\.waits) == [[.time(.seconds(9))], [.time(.seconds(10))]])
    #expect(
      runs.map(\.description) == [
        """
        ‘work’ (key 7), started 1.5 s ago by dispatch #1 at App/View.swift:12, sleeps until +9 s
        """,
        """
        ‘work’ (key 8), started 0.5 s ago by dispatch #2 at App/View.swift:13, sleeps until +10 s
        """,
      ])
    await bench.clock.run()
    await bench.expectRest()
  }

  /// What an effect may wait for.
  enum Wait: CaseIterable {
    case outside, sleep, take, takeWithLimit, condition, share, retry, both

    var words: String {
      switch self {
      case .outside: "waits for something outside the library"
      case .sleep: "sleeps until +2 s"
      case .take, .takeWithLimit: "waits for an action Answer"
      case .condition: "waits for a condition of the state"
      case .share: "waits for a call that it shares"
      case .retry: "sleeps until +1 s"
      case .both: "sleeps until +2 s and waits for an action Answer"
      }
    }
  }

  @Test(arguments: Wait.allCases)
  func `E28: a live effect tells what it waits for`(wait: Wait) async {
    let bench = TimedStore(
      .effect(on: Begin.self, reading: \.failures.isEmpty, name: "work") { _, effect, isEmpty in
        switch wait {
        case .outside: _ = await Gate().wait()
        case .sleep: try await effect.sleep(for: .seconds(2))
        case .take: _ = try await effect.take(Answer.self)
        case .takeWithLimit: _ = try await effect.take(Answer.self, timeout: .seconds(2))
        case .condition: try await effect.condition(isEmpty) { !$0 }
        case .share: try await effect.share { _ = await Gate().wait() }
        case .retry: try await effect.retry(.constant(.seconds(1), attempts: 3)) { throw Broken() }
        case .both:
          try await effect.race(
            { try await effect.sleep(for: .seconds(2)) },
            { _ = try await effect.take(Answer.self) })
        }
      })
    bench.store.dispatch(Begin())
    await bench.settle()
    #expect(bench.store.liveEffects().map(\.waitsInWords) == [wait.words])
    bench.store.cancelEffects(.named("work"))
    await bench.expectRest()
  }

  @Test(arguments: [
    (EffectPolicy.queue, ["waits for something outside the library", "waits for its turn"]),
    (.keepLatest, ["waits for something outside the library", "waits for its turn"]),
    (.debounce(for: .seconds(3)), ["sleeps until +3 s"]),
    (
      .throttle(for: .seconds(3)), ["waits for something outside the library", "sleeps until +3 s"]
    ),
  ])
  func `E28: a run that has not begun tells what it waits for`(
    policy: EffectPolicy, words: [String]
  ) async {
    let bench = TimedStore(
      .effect(on: Begin.self, policy, name: "work") { _, _ in _ = await Gate().wait() })
    for id in 1...2 { bench.store.dispatch(Begin(id: id)) }
    #expect(bench.store.liveEffects().map(\.waitsInWords) == words)
    bench.store.cancelEffects(.all)
    // The window of a throttle stays open.
    await bench.clock.run()
    await bench.expectRest()
  }

  @Test func `E28: a run that has begun after it waited waits for its turn no longer`() async {
    let (gate, began) = (Gate(), Recorder<Int>())
    let store = makeStore(
      .effect(on: Begin.self, .queue, name: "work") { begin, _ in
        began.record(begin.id)
        if begin.id == 1 { await gate.wait() } else { _ = await Gate().wait() }
      })
    for id in 1...3 { store.dispatch(Begin(id: id)) }
    gate.open()
    await began.waitForCount(2)
    #expect(store.liveEffects().map(\.waits) == [[.outside], [.turn]])
    store.cancelEffects(.all)
    await store.idle()
  }

  @Test func `E28: what was cancelled, replaced or has ended is not alive`() async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self, key: \.id, .latest, name: "work") { _, _ in
        await Task.detached { _ = await gate.wait() }.value
      })
    for id in [1, 1, 2, 3] { store.dispatch(Begin(id: id)) }
    store.cancelEffects(.key(2))
    #expect(store.liveEffects().map(\.number) == [2, 4])
    gate.open()
    await store.idle()
    #expect(store.liveEffects().isEmpty)
  }

  @Test func `E28: the description of a key may call the store`() async {
    struct Key: Hashable, CustomStringConvertible {
      static let box = StoreBox()
      var description: String { "\(Self.box.store?.state.begun ?? [])" }
    }
    let store = makeStore(
      .effect(on: Begin.self, key: { _ in Key() }, name: "work") { _, _ in _ = await Gate().wait() }
    )
    Key.box.set(store)
    store.dispatch(Begin(id: 1))
    #expect(store.liveEffects().map { "\($0)".contains("(key [1])") } == [true])
    store.cancelEffects(.all)
    await store.idle()
  }
}

/// What a run waits for whose tasks wait for different things.
extension LiveEffectTests {
  /// Who waits beside the body, which sleeps.
  enum Beside: CaseIterable {
    case forkOutside, forkThatTakes, contenderOutside, forkThatEnded, contenderOfForkOutside

    var words: String {
      switch self {
      case .forkOutside, .contenderOutside, .contenderOfForkOutside:
        "sleeps until +2 s and waits for something outside the library"
      case .forkThatTakes: "sleeps until +2 s and waits for an action Answer"
      case .forkThatEnded: "sleeps until +2 s"
      }
    }
  }

  @Test(arguments: Beside.allCases)
  func `E28: a live effect tells also that a fork or a contender waits outside`(
    beside: Beside
  ) async {
    let bench = TimedStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        let outside: @Sendable () async throws -> Void = { _ = await Gate().wait() }
        let sleep: @Sendable () async throws -> Void = { try await effect.sleep(for: .seconds(2)) }
        switch beside {
        case .forkOutside: effect.fork { _ in try await outside() }
        case .forkThatTakes: effect.fork { _ in _ = try await effect.take(Answer.self) }
        case .contenderOutside: return try await effect.race(outside, sleep)
        case .forkThatEnded: await effect.fork { _ in }.finish()
        case .contenderOfForkOutside:
          effect.fork { _ in try await effect.race(outside, { _ = await Gate().wait() }) }
        }
        try await sleep()
      })
    bench.store.dispatch(Begin())
    await bench.settle()
    #expect(bench.store.liveEffects().map(\.waitsInWords) == [beside.words])
    bench.store.cancelEffects(.named("work"))
    await bench.expectRest()
  }
}
