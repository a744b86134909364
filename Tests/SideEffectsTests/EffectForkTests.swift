import Middleware
import SideEffects
import Store
import StoreTesting
import TestSupport
import Testing

/// What goes on beside a body: forks, which belong to the run, and what it spawns, which does not.
@Suite(.timeLimit(.minutes(5)))
struct EffectForkTests {
  private struct Broken: Error, Equatable, CustomStringConvertible {
    var part: String
    var description: String { "\(part) broke" }
  }

  @Test func `E20: a run has not ended before its forks have`() async {
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        for id in 1...2 {
          effect.fork { effect in
            try await effect.sleep(for: .seconds(id))
            effect.dispatch(Answer(id: id))
          }
        }
        effect.dispatch(Answer(id: 0))
      })
    let handle = bench.store.dispatch(Begin())
    let finishing = Begun { await handle.finish() }
    #expect(bench.answers == [0])
    await bench.advance(by: .seconds(1))
    #expect(bench.answers == [0, 1])
    #expect(!finishing.isOver)
    await bench.advance(by: .seconds(1))
    await finishing.wait()
    #expect(bench.answers == [0, 1, 2])
    await bench.expectRest()
  }

  @Test func `E20: forks of forks belong to the run too`() async {
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        effect.fork { effect in
          effect.fork { effect in
            try await effect.sleep(for: .seconds(1))
            effect.fork { effect in _ = effect.dispatch(Answer(id: 1)) }
          }
        }
      })
    bench.store.dispatch(Begin())
    await bench.settle()
    #expect(bench.store.liveEffects().count == 1)
    await bench.advance(by: .seconds(1))
    #expect(bench.answers == [1])
    await bench.expectRest()
  }

  @Test func `E10: cancelling a run cancels its forks`() async {
    let ends = Recorder<Bool>()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        for _ in 1...3 { effect.fork { _ in ends.record(await Gate().wait()) } }
        ends.record(await Gate().wait())
      })
    store.dispatch(Begin())
    store.cancelEffects(.named("work"))
    await store.idle()
    #expect(ends.values.allSatisfy { !$0 })
    #expect(store.liveEffects().isEmpty)
  }

  @Test func `E10: cancelling a run whose body has returned cancels its forks`() async {
    let began = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        effect.fork { _ in
          began.open()
          _ = await Gate().wait()
        }
      })
    let handle = store.dispatch(Begin())
    await began.wait()
    handle.cancel()
    await handle.finish()
    await store.idle()
  }

  @Test func `E10: cancelling a fork leaves its run and its siblings`() async {
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        let forks = (1...3).map { id in
          effect.fork { effect in
            try await effect.sleep(for: .seconds(1))
            effect.dispatch(Answer(id: id))
          }
        }
        try await effect.sleep(for: .milliseconds(500))
        forks[1].cancel()
        await forks[1].finish()
        effect.dispatch(Answer(id: 0))
        await forks[0].finish()
        // Once it has ended, that is no error.
        forks[0].cancel()
        try await effect.sleep(for: .seconds(1))
        effect.dispatch(Answer(id: 9))
      })
    bench.store.dispatch(Begin())
    await bench.clock.run()
    #expect(bench.answers == [0, 1, 3, 9])
    await bench.expectRest()
  }

  @Test func `E9: latest ends the forks of the run it replaces`() async {
    let bench = TimedStore(
      .effect(on: Begin.self, .latest) { begin, effect in
        effect.fork { effect in
          try await effect.sleep(for: .seconds(1))
          effect.dispatch(Answer(id: begin.id))
        }
      })
    for id in 1...3 { bench.store.dispatch(Begin(id: id)) }
    await bench.clock.run()
    #expect(bench.answers == [3])
    await bench.expectRest()
  }

  @Test func `E5: of a run that was cancelled no fork begins`() async {
    let began = Recorder<Int>()
    let box = StoreBox()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        box.cancelEffects(.named("work"))
        effect.fork { _ in began.record(1) }
        effect.spawn { _ in began.record(2) }
      })
    box.set(store)
    await store.dispatch(Begin()).finish()
    await store.idle()
    #expect(began.values.isEmpty)
  }

  /// What happens where a fork fails.
  enum Place: CaseIterable {
    case beforeBodyEnds, afterBodyEnded, bodyFailsToo, bodyIgnoresIt, siblingFailsToo
  }

  @Test(arguments: Place.allCases)
  func `E24: a fork that fails cancels its siblings and fails the run, once`(place: Place) async {
    let (failures, ends) = (Recorder<EffectFailed>(), Recorder<String>())
    let bench = TimedStore(
      .effect(on: Begin.self, key: \.id, name: "work") { _, effect in
        effect.fork { effect in
          try await effect.sleep(for: .seconds(1))
          throw Broken(part: "fork")
        }
        effect.fork { effect in
          do {
            try await effect.sleep(for: .seconds(5))
          } catch {
            ends.record("sibling")
            if place == .siblingFailsToo { throw Broken(part: "sibling") }
          }
        }
        switch place {
        case .afterBodyEnded, .siblingFailsToo: return
        case .beforeBodyEnds: try await effect.sleep(for: .seconds(5))
        case .bodyFailsToo:
          do { try await effect.sleep(for: .seconds(5)) } catch { throw Broken(part: "body") }
        case .bodyIgnoresIt:
          try? await effect.sleep(for: .seconds(5))
          // Of a run that fails none begins.
          effect.fork { effect in try await effect.sleep(for: .seconds(60)) }
        }
      },
      .on(EffectFailed.self) { failure, _ in failures.record(failure) })
    let handle = bench.store.dispatch(Begin(id: 4))
    await bench.advance(by: .seconds(1))
    #expect(failures.values.map { "\($0.error)" } == ["fork broke"])
    #expect(failures.values.first?.key as? Int == 4)
    #expect(failures.values.first?.name == "work")
    #expect(ends.values == ["sibling"])
    await bench.expectRest()
    await handle.finish()
    #expect(bench.now == 1_000)
  }

  @Test func `E24: a body that fails cancels its forks, and the run fails with its error`() async {
    let (failures, ends) = (Recorder<String>(), Recorder<String>())
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        effect.fork { effect in
          do {
            try await effect.sleep(for: .seconds(5))
          } catch {
            ends.record("fork")
            // A fork that it makes now would keep the run from its end.
            effect.fork { effect in try await effect.sleep(for: .seconds(60)) }
            throw Broken(part: "fork")
          }
        }
        try await effect.sleep(for: .seconds(1))
        throw Broken(part: "body")
      },
      .on(EffectFailed.self) { failure, _ in failures.record("\(failure.error)") })
    bench.store.dispatch(Begin())
    await bench.advance(by: .seconds(1))
    #expect(failures.values == ["body broke"])
    #expect(ends.values == ["fork"])
    await bench.expectRest()
  }

  @Test func `E24: what a fork throws because it was cancelled is no failure`() async {
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        let fork = effect.fork { effect in
          do { try await effect.sleep(for: .seconds(5)) } catch { throw Broken(part: "fork") }
        }
        try await effect.sleep(for: .seconds(1))
        fork.cancel()
        await fork.finish()
        effect.dispatch(Answer(id: 1))
      },
      .on(EffectFailed.self) { failure, _ in Issue.record("failed: \(failure)") })
    bench.store.dispatch(Begin())
    await bench.advance(by: .seconds(1))
    #expect(bench.answers == [1])
    await bench.expectRest()
  }

  @Test func `E24: a fork that fails in the first stretch of its body cancels that`() async {
    let failures = Recorder<String>()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        let fork = effect.fork { _ in throw Broken(part: "fork") }
        await fork.finish()
        _ = await Gate().wait()
      },
      .on(EffectFailed.self) { failure, _ in failures.record("\(failure.error)") })
    for _ in 1...scaled(1_000) { await store.dispatch(Begin()).finish() }
    #expect(failures.values == Array(repeating: "fork broke", count: scaled(1_000)))
    await store.idle()
  }

  @Test func `E20: what a run spawns goes on when that is cancelled, and may speak`() async {
    let bench = TimedStore(
      .effect(on: Begin.self, key: \.id, name: "work") { begin, effect in
        effect.spawn { effect in
          try await effect.sleep(for: .seconds(1))
          effect.dispatch(Answer(id: begin.id))
        }
        try await effect.sleep(for: .seconds(1))
        effect.dispatch(Answer(id: -begin.id))
      })
    let handle = bench.store.dispatch(Begin(id: 1))
    bench.store.cancelEffects(.key(1))
    await bench.settle()
    #expect(bench.store.liveEffects().count == 1)
    let finishing = Begun { await handle.finish() }
    #expect(!finishing.isOver)
    await bench.advance(by: .seconds(1))
    await finishing.wait()
    #expect(bench.answers == [1])
    await bench.expectRest()
  }

  @Test func `E20: a spawned run outlives latest, and keeps nobody waiting in a queue`() async {
    for policy in [EffectPolicy.latest, .queue, .leading, .keepLatest] {
      let bench = TimedStore(
        .effect(on: Begin.self, policy) { begin, effect in
          effect.spawn { effect in
            try await effect.sleep(for: .seconds(1))
            effect.dispatch(Answer(id: begin.id))
          }
        })
      for id in 1...3 { bench.store.dispatch(Begin(id: id)) }
      await bench.clock.run()
      #expect(bench.answers == [1, 2, 3], "\(policy)")
      await bench.expectRest()
    }
  }

  /// What ends a spawned run.
  enum Ending: CaseIterable { case name, all, handle, shutdown }

  @Test(arguments: Ending.allCases)
  func `E20: a spawned run is cancelled by name, by its dispatch and with the store`(
    ending: Ending
  ) async {
    let ends = Recorder<Bool>()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        effect.spawn { _ in ends.record(await Gate().wait()) }
      })
    let handle = store.dispatch(Begin())
    switch ending {
    case .name: store.cancelEffects(.named("work"))
    case .all: store.cancelEffects(.all)
    case .handle: handle.cancel()
    case .shutdown: await store.shutdown(grace: .zero)
    }
    #expect(store.liveEffects().isEmpty)
    await handle.finish()
    await store.idle()
    #expect(ends.values.allSatisfy { !$0 })
  }

  @Test func `E24: a spawned run that fails is sent as such, once, and nothing else stops`() async {
    let failures = Recorder<EffectFailed>()
    let bench = TimedStore(
      .effect(on: Begin.self, key: \.id, name: "work") { _, effect in
        effect.spawn { _ in throw Broken(part: "spawned") }
        try await effect.sleep(for: .seconds(1))
        effect.dispatch(Answer(id: 1))
      },
      .on(EffectFailed.self) { failure, _ in failures.record(failure) })
    bench.store.dispatch(Begin(id: 5))
    await bench.advance(by: .seconds(1))
    #expect(failures.values.map { "\($0.error)" } == ["spawned broke"])
    #expect(failures.values.first?.name == "work")
    #expect(failures.values.first?.origin.number == 1)
    #expect(bench.answers == [1])
    await bench.expectRest()
  }

  @Test func `E20: an effect in the background can spawn too`() async {
    let answered = Gate()
    let store = makeStore(
      MiddlewareItem.effect(on: Begin.self, name: "work") { _, effect in
        effect.spawn { effect in
          effect.dispatch(Answer(id: 1))
          answered.open()
          _ = await Gate().wait()
        }
      }.background())
    store.dispatch(Begin())
    await answered.wait()
    #expect(store.state.answers == [1])
    #expect(store.liveEffects().map(\.isBackground) == [true])
    await store.idle()
    store.cancelEffects(.named("work"))
    #expect(store.liveEffects().isEmpty)
  }

  @Test func `E20: a chain of spawned runs takes no more stack than one`() async {
    let count = scaled(1_000_000)
    @Sendable func next(_ number: Int, _ effect: EffectContext) {
      guard number < count else { return _ = effect.dispatch(Answer(id: number)) }
      effect.spawn { effect in next(number + 1, effect) }
    }
    let store = makeStore(.effect(on: Begin.self) { _, effect in next(0, effect) })
    await store.dispatch(Begin()).finish()
    await store.idle()
    #expect(store.state.answers == [count])
    #expect(store.effects.current == 0)
  }

  @Test func `E20: after its end a run neither forks nor spawns`() async {
    let contexts = Recorder<EffectContext>()
    let began = Recorder<Int>()
    let store = makeStore(.effect(on: Begin.self) { _, effect in contexts.record(effect) })
    await store.dispatch(Begin()).finish()
    contexts.values[0].spawn { _ in began.record(1) }
    await contexts.values[0].fork { _ in began.record(2) }.finish()
    await store.idle()
    #expect(began.values.isEmpty)
  }

  @Test func `E20: an effect cancels others by key, and itself`() async {
    let store = makeStore(
      .effect(on: Begin.self, key: \.id, name: "work") { begin, effect in
        if begin.id < 3 { return _ = await Gate().wait() }
        effect.cancelEffects(.key(1))
        effect.dispatch(Answer(id: effect.isCancelled ? 0 : 1))
        effect.cancelEffects(.key(3))
        #expect(effect.isCancelled)
      })
    let handles = (1...3).map { store.dispatch(Begin(id: $0)) }
    await handles[0].finish()
    await handles[2].finish()
    #expect(store.state.answers == [1])
    #expect(store.liveEffects().map { $0.key as? Int } == [2])
    store.cancelEffects(.all)
    await store.idle()
  }
}
