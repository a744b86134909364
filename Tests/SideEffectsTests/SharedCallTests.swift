import Middleware
import SideEffects
import Store
import StoreTesting
import TestSupport
import Testing

/// Runs that share a call.
@Suite(.timeLimit(.minutes(5)))
struct SharedCallTests {
  private struct Broken: Error {}

  private enum Load: RequestAction, Equatable {
    case request(Int), success(Int), failure(Broken)
    var input: Int? { if case .request(let id) = self { id } else { nil } }
    static func == (first: Load, second: Load) -> Bool { "\(first)" == "\(second)" }
  }

  /// A call that the test answers, in whatever order.
  private final class Service: Sendable {
    let began = Recorder<Int>()
    let cancelled = Recorder<Int>()
    let gates = (0...9).map { _ in Gate() }

    /// Returns the number of the call, counted from 1.
    func call() async throws -> Int {
      let number = began.count + 1
      began.record(number)
      guard await gates[number].wait() else {
        cancelled.record(number)
        throw CancellationError()
      }
      return number
    }
  }

  private struct Refresh: Action {
    var id: Int
    var isForced = false
  }

  private func bench(
    _ service: Service, _ policy: EffectPolicy,
    key: (@Sendable (Refresh) -> any Hashable & Sendable)?
  ) -> TimedStore {
    TimedStore(
      .effect(on: Refresh.self, key: key, policy, name: "refresh") { refresh, effect in
        let answer = try await effect.share(forced: refresh.isForced) { try await service.call() }
        effect.dispatch(Answer(id: 10 * refresh.id + answer))
      })
  }

  @Test func `E25: two equal requests in flight make one call, and both get its result`() async {
    let service = Service()
    let bench = bench(service, .every, key: nil)
    for id in 1...2 { bench.store.dispatch(Refresh(id: id)) }
    await bench.settle()
    #expect(service.began.values == [1])
    #expect(bench.store.liveEffects().map(\.waits) == [[.sharedCall], [.sharedCall]])
    service.gates[1].open()
    await bench.settle()
    #expect(bench.answers.sorted() == [11, 21])
    // One that comes after the answer makes a call of its own.
    service.gates[2].open()
    bench.store.dispatch(Refresh(id: 3))
    await bench.settle()
    #expect(bench.answers.last == 32)
    await bench.expectRest()
  }

  @Test func `E25: a request that comes right after an answer does not get it again`() async {
    let calls = Box(0)
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        effect.dispatch(
          Answer(
            id: try await effect.share {
              calls.value += 1
              return calls.value
            }))
      })
    for _ in 1...scaled(10_000) { await store.dispatch(Begin()).finish() }
    #expect(store.state.answers == Array(1...scaled(10_000)))
    await store.idle()
  }

  @Test func `E25: calls about different things, or of different results, are not shared`() async {
    let calls = Recorder<String>()
    let bench = TimedStore(
      .effect(on: Refresh.self, key: \.id) { refresh, effect in
        if refresh.isForced {
          _ = try await effect.share(as: refresh.id) { () async throws -> String in
            calls.record("\(refresh.id) text")
            try await effect.sleep(for: .seconds(1))
            return ""
          }
        } else {
          _ = try await effect.share { () async throws -> Int in
            calls.record("\(refresh.id)")
            try await effect.sleep(for: .seconds(1))
            return 0
          }
        }
      })
    for id in [1, 2, 1] {
      bench.store.dispatch(Refresh(id: id))
      bench.store.dispatch(Refresh(id: id, isForced: true))
    }
    await bench.settle()
    #expect(calls.values.sorted() == ["1", "1 text", "2", "2 text"])
    await bench.clock.run()
    await bench.expectRest()
  }

  @Test func `E25: an error goes to all who share the call`() async {
    let failures = Recorder<EffectFailed>()
    let gate = Gate()
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        try await effect.share {
          await gate.wait()
          throw Broken()
        }
      },
      .on(EffectFailed.self) { failure, _ in failures.record(failure) })
    for id in 1...3 { bench.store.dispatch(Begin(id: id)) }
    gate.open()
    await bench.settle()
    #expect(failures.values.map(\.origin.number) == [1, 2, 3])
    #expect(failures.values.allSatisfy { $0.error is Broken })
    await bench.expectRest()
  }

  @Test func `E25: a forced request makes a second call, and those that come later join it`() async
  {
    let service = Service()
    let bench = bench(service, .every, key: nil)
    bench.store.dispatch(Refresh(id: 1))
    bench.store.dispatch(Refresh(id: 2, isForced: true))
    bench.store.dispatch(Refresh(id: 3))
    await bench.settle()
    #expect(service.began.values == [1, 2])
    service.gates[2].open()
    await bench.settle()
    #expect(bench.answers.sorted() == [22, 32])
    service.gates[1].open()
    await bench.expectRest()
    #expect(bench.answers.count == 3)
  }

  @Test(arguments: [[1, 2], [2, 1]])
  func `E26: a late answer to an older request never overwrites a newer one`(order: [Int]) async {
    let service = Service()
    let bench = bench(service, .every, key: nil)
    bench.store.dispatch(Refresh(id: 1))
    await bench.settle()
    bench.store.dispatch(Refresh(id: 2, isForced: true))
    for number in order {
      service.gates[number].open()
      await bench.settle()
    }
    // Either the older came first, or it tells of the newer.
    #expect(bench.answers == (order == [1, 2] ? [11, 22] : [22, 12]))
    await bench.expectRest()
  }

  @Test func `E26: under latest and share there is one call, and only the last run answers`() async
  {
    let service = Service()
    let bench = bench(service, .latest, key: { _ in "key" })
    for id in 1...3 { bench.store.dispatch(Refresh(id: id)) }
    await bench.settle()
    #expect(service.began.values == [1])
    service.gates[1].open()
    await bench.settle()
    #expect(bench.answers == [31])
    #expect(service.cancelled.count == 0)
    await bench.expectRest()
  }

  @Test func `E26: under latest, the forced one's call is the one that answers`() async {
    let service = Service()
    let bench = bench(service, .latest, key: nil)
    bench.store.dispatch(Refresh(id: 1))
    await bench.settle()
    bench.store.dispatch(Refresh(id: 2, isForced: true))
    await bench.settle()
    service.gates[2].open()
    service.gates[1].open()
    await bench.settle()
    #expect(bench.answers == [22])
    // Nobody waited for the first any more.
    #expect(service.cancelled.values == [1])
    await bench.expectRest()
  }

  @Test func `E25: one who is cancelled leaves the call to the others`() async {
    let service = Service()
    let bench = bench(service, .every, key: nil)
    let handles = (1...2).map { bench.store.dispatch(Refresh(id: $0)) }
    await bench.settle()
    handles[0].cancel()
    await bench.settle()
    #expect(service.cancelled.count == 0)
    service.gates[1].open()
    await bench.settle()
    #expect(bench.answers == [21])
    await bench.expectRest()
  }

  @Test func `E25: a call that nobody waits for any more is cancelled, and not joined`() async {
    let service = Service()
    let bench = bench(service, .every, key: nil)
    bench.store.dispatch(Refresh(id: 1))
    await bench.settle()
    bench.store.cancelEffects(.named("refresh"))
    await bench.settle()
    #expect(service.cancelled.values == [1])
    bench.store.dispatch(Refresh(id: 2))
    await bench.settle()
    #expect(service.began.values == [1, 2])
    service.gates[2].open()
    await bench.settle()
    #expect(bench.answers == [22])
    await bench.expectRest()
  }

  @Test func `E25: a call that ignores its cancel holds nobody up`() async {
    let (deaf, began) = (Gate(), Recorder<Int>())
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { begin, effect in
        try await effect.share {
          began.record(begin.id)
          if begin.id == 1 { await Task.detached { _ = await deaf.wait() }.value }
        }
        effect.dispatch(Answer(id: begin.id))
      })
    store.dispatch(Begin(id: 1))
    await began.waitForCount(1)
    store.cancelEffects(.named("work"))
    await store.idle()
    store.dispatch(Begin(id: 2))
    await store.idle()
    #expect(store.state.answers == [2])
    deaf.open()
  }

  @Test func `E25: runs that come, are cancelled and replaced never get another's cancel`() async {
    let bench = makeStore(
      .effect(on: Refresh.self, key: { $0.id % 2 }, name: "every") { refresh, effect in
        effect.dispatch(
          Answer(
            id: try await effect.share {
              await Task.yield()
              try Task.checkCancellation()
              return 1
            }))
      },
      .effect(on: Refresh.self, key: { $0.id % 2 }, .latest, name: "latest") { refresh, effect in
        effect.dispatch(
          Answer(
            id: try await effect.share(forced: refresh.isForced) {
              await Task.yield()
              try Task.checkCancellation()
              return 2
            }))
      },
      // A run that was not cancelled itself must not fail.
      .on(EffectFailed.self) { failure, _ in Issue.record("failed: \(failure)") },
      diagnostics: { if $0.severity > .notice { Issue.record("unexpected: \($0)") } })
    await withTaskGroup { group in
      for worker in 0..<4 {
        group.addTask {
          for id in 0..<scaled(2_000) {
            let handle = bench.dispatch(Refresh(id: id, isForced: (id + worker).isMultiple(of: 5)))
            if (id + worker).isMultiple(of: 2) { handle.cancel() }
          }
        }
      }
    }
    await bench.idle()
    #expect(bench.liveEffects().isEmpty)
    #expect(bench.effects.current == 0)
  }

  @Test func `E25: requests for different things are not shared, also without a key`() async {
    let calls = Recorder<Int>()
    let answers = Recorder<Load>()
    let bench = TimedStore(
      .request(Load.self, shared: true) { id async throws(Broken) -> Int in
        calls.record(id)
        await Task.yield()
        return id
      },
      .on(Load.self) { load, _ in if load.input == nil { answers.record(load) } })
    for id in [1, 2, 1] { bench.store.dispatch(Load.request(id)) }
    await bench.settle()
    #expect(calls.values.sorted() == [1, 2])
    #expect(answers.values.filter { $0 == .success(1) }.count == 2)
    #expect(answers.values.filter { $0 == .success(2) }.count == 1)
    await bench.expectRest()
  }

  @Test func `E25: an answer that is overtaken is released where nothing is locked`() async {
    final class Value: Sendable {
      let onEnd: @Sendable () -> Void
      init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    let box = StoreBox()
    let gates = (0..<3).map { _ in Gate() }
    let store = makeStore(
      .effect(on: Begin.self) { begin, effect in
        _ = try await effect.share(forced: begin.id < 3) {
          if begin.id < 3 { await gates[begin.id].wait() }
          // The end of an answer joins, or makes, the next call.
          return Value { if begin.id == 0 { box.store?.dispatch(Begin(id: 3)) } }
        }
      })
    box.set(store)
    for id in 0..<3 { store.dispatch(Begin(id: id)) }
    for gate in gates {
      gate.open()
      await Task.yield()
    }
    await store.idle()
    #expect(store.state.begun == [0, 1, 2, 3])
  }

  @Test func `E25: requests can be shared, and each dispatches the answer`() async {
    let gate = Gate()
    let calls = Recorder<Int>()
    let answers = Recorder<Load>()
    let bench = TimedStore(
      .request(Load.self, key: { $0 }, shared: true) { id async throws(Broken) -> Int in
        calls.record(id)
        await gate.wait()
        if id == 2 { throw Broken() }
        return id
      },
      .on(Load.self) { load, _ in if load.input == nil { answers.record(load) } })
    for id in [1, 2, 1, 2] { bench.store.dispatch(Load.request(id)) }
    await bench.settle()
    #expect(calls.values.sorted() == [1, 2])
    gate.open()
    await bench.settle()
    #expect(answers.values.filter { $0 == .success(1) }.count == 2)
    #expect(answers.values.filter { $0 == .failure(Broken()) }.count == 2)
    await bench.expectRest()
  }

  @Test func `E25: dropping the store cancels the call`() async {
    let ended = Gate()
    do {
      let store = makeStore(
        .effect(on: Begin.self) { _, effect in
          try await effect.share {
            if await !Gate().wait() { ended.open() }
          }
        })
      store.dispatch(Begin())
    }
    await ended.wait()
  }
}
