import Middleware
import SideEffects
import Store
import StoreTesting
import TestSupport
import Testing

/// Effects that wait for actions, for the state, and for time.
@Suite(.timeLimit(.minutes(5)))
struct EffectTakeTests {
  private struct LoggedIn: Action, Equatable {
    var user: Int
  }

  @Test func `E20: take returns the next action of its type that matches`() async {
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        let action = try await effect.take(LoggedIn.self) { $0.user > 1 }
        effect.dispatch(Answer(id: action.user))
      })
    bench.store.dispatch(LoggedIn(user: 9))
    bench.store.dispatch(Begin())
    bench.store.dispatch(LoggedIn(user: 1))
    bench.store.dispatch(Answer(id: 0))
    await bench.settle()
    #expect(bench.answers == [0])
    bench.store.dispatch(LoggedIn(user: 2))
    bench.store.dispatch(LoggedIn(user: 3))
    await bench.settle()
    #expect(bench.answers == [0, 2])
    await bench.expectRest()
  }

  @Test func `E20: all who wait for an action are told of it`() async {
    let bench = TimedStore(
      .effect(on: Begin.self) { action, effect in
        let login = try await effect.take(LoggedIn.self)
        effect.dispatch(Answer(id: 10 * action.id + login.user))
      })
    for id in 1...3 { bench.store.dispatch(Begin(id: id)) }
    bench.store.dispatch(LoggedIn(user: 5))
    await bench.settle()
    #expect(bench.answers == [15, 25, 35])
    await bench.expectRest()
  }

  @Test func `E20: an action that a link swallows is not taken`() async {
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        _ = try await effect.take(LoggedIn.self)
        effect.dispatch(Answer(id: 1))
      },
      links: [
        Middleware { action, _, next in action is LoggedIn ? .swallowed : next(action) }
      ])
    store.dispatch(Begin())
    store.dispatch(LoggedIn(user: 1))
    #expect(store.liveEffects().map(\.waitsInWords) == ["waits for an action LoggedIn"])
    store.cancelEffects(.named("work"))
    await store.idle()
    #expect(store.state.answers.isEmpty)
  }

  @Test func `E20: take tells after the observers of the action`() async {
    let order = Recorder<String>()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        let answer = try await effect.take(Answer.self)
        order.record("took \(answer.id)")
      })
    store.dispatch(Begin())
    let subscription = store.subscribe(\.answers, initial: false) { order.record("saw \($0)") }
    store.dispatch(Answer(id: 1))
    await store.idle()
    #expect(order.values == ["saw [1]", "took 1"])
    subscription.cancel()
  }

  @Test func `E20: an answer that is sent inside the dispatch is not missed`() async {
    let bench = TimedStore(
      // Answers before the dispatch of its question has returned.
      .on(LoggedIn.self) { login, dispatch in dispatch(Answer(id: login.user)) },
      .effect(on: Begin.self) { _, effect in
        let first = try await effect.take(Answer.self, after: LoggedIn(user: 1))
        let second = try await effect.take(
          Answer.self, timeout: .seconds(1), after: LoggedIn(user: 2))
        effect.dispatch(Answer(id: 10 * first.id + (second?.id ?? 0)))
      })
    bench.store.dispatch(Begin())
    await bench.settle()
    #expect(bench.answers == [1, 2, 12])
    await bench.expectRest()
  }

  @Test func `E20: a take with a time limit answers nil when that is over, and waits no more`()
    async
  {
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        let login = try await effect.take(LoggedIn.self, timeout: .seconds(3))
        effect.dispatch(Answer(id: login?.user ?? -1))
      })
    bench.store.dispatch(Begin())
    await bench.advance(by: .seconds(2))
    #expect(bench.answers.isEmpty)
    await bench.advance(by: .seconds(1))
    #expect(bench.answers == [-1])
    bench.store.dispatch(LoggedIn(user: 1))
    await bench.expectRest()
    // In time, it is the action, and the time is forgotten.
    bench.store.dispatch(Begin())
    await bench.advance(by: .seconds(2))
    bench.store.dispatch(LoggedIn(user: 2))
    await bench.expectRest()
    #expect(bench.answers == [-1, 2])
  }

  @Test func `E19: time limits of nothing and less are over at once, and long ones are not`() async
  {
    for (limit, answer) in [
      (Duration.zero, -1), (.seconds(-1), -1), (.seconds(Int64.max), 7), (.seconds(8_640_000), 7),
    ] {
      let bench = TimedStore(
        .effect(on: Begin.self) { _, effect in
          let login = try await effect.take(LoggedIn.self, timeout: limit)
          effect.dispatch(Answer(id: login?.user ?? -1))
        })
      bench.store.dispatch(Begin())
      await bench.settle()
      bench.store.dispatch(LoggedIn(user: 7))
      await bench.expectRest()
      #expect(bench.answers == [answer])
    }
  }

  @Test func `E7: cancelling ends a take, and the store forgets it`() async {
    let probes = Recorder<Int>()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { action, effect in
        let probe = DeinitProbe { probes.record(action.id) }
        _ = try await effect.take(LoggedIn.self) { _ in withExtendedLifetime(probe) { false } }
      })
    for id in 1...3 { store.dispatch(Begin(id: id)) }
    store.dispatch(LoggedIn(user: 1))
    #expect(probes.count == 0)
    store.cancelEffects(.named("work"))
    await store.idle()
    // The last end of a run is known a moment before what it held is gone.
    await probes.waitForCount(3)
    store.dispatch(LoggedIn(user: 2))
    #expect(store.liveEffects().isEmpty)
  }

  @Test func `E5: a take in the first stretch after a cancel ends at once`() async {
    let ends = Recorder<String>()
    let box = StoreBox()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        box.cancelEffects(.named("work"))
        do {
          _ = try await effect.take(LoggedIn.self)
        } catch {
          ends.record("\(error)")
        }
      })
    box.set(store)
    store.dispatch(Begin())
    await store.idle()
    #expect(ends.values == ["CancellationError()"])
  }

  @Test func `E20: a task that waits beyond its run is let go when the store is gone`() async {
    let (armed, over) = (Gate(), Gate())
    do {
      let store = makeStore(
        .effect(on: Begin.self) { _, effect in
          Task {
            do {
              _ = try await effect.take(LoggedIn.self, after: Answer(id: 1))
            } catch {
              over.open()
            }
          }
          // The action above shows that it waits.
          _ = try await effect.take(Answer.self)
          armed.open()
        })
      await store.dispatch(Begin()).finish()
      await armed.wait()
    }
    await over.wait()
  }

  @Test func `E20: a delivery and a cancel that meet lose neither`() async {
    let ended = Recorder<Bool>()
    let store = makeStore(
      .effect(on: Begin.self, key: \.id) { action, effect in
        do {
          _ = try await effect.take(LoggedIn.self) { $0.user == action.id }
          ended.record(true)
        } catch {
          ended.record(false)
        }
      })
    let count = scaled(20_000)
    for id in 0..<count {
      store.dispatch(Begin(id: id))
      async let delivery = Task.detached { store.dispatch(LoggedIn(user: id)) }.value
      async let cancel: Void = Task.detached { store.cancelEffects(.key(id)) }.value
      _ = await (delivery, cancel)
    }
    await store.idle()
    #expect(ended.count == count)
    #expect(store.liveEffects().isEmpty)
  }

  @Test func `E20: a condition that is met already does not wait, and one that is not does`() async
  {
    let bench = TimedStore(
      .effect(on: Begin.self, reading: \.answers) { begin, effect, answers in
        try await effect.condition(answers) { $0.count >= begin.id }
        effect.dispatch(Answer(id: 100 * begin.id))
      })
    bench.store.dispatch(Begin(id: 0))
    #expect(bench.answers == [0])
    bench.store.dispatch(Begin(id: 3))
    bench.store.dispatch(Answer(id: 1))
    await bench.settle()
    #expect(bench.answers == [0, 1])
    #expect(bench.store.liveEffects().map(\.waits) == [[.condition]])
    bench.store.dispatch(Answer(id: 2))
    await bench.settle()
    #expect(bench.answers == [0, 1, 2, 300])
    await bench.expectRest()
  }

  @Test func `E20: a condition that was met for one commit only is met`() async {
    let bench = TimedStore(
      .effect(on: Begin.self, reading: \.answers.count) { _, effect, count in
        try await effect.condition(count) { $0 == 1 }
        effect.dispatch(Begin(id: 7))
      },
      reducer: .combine(
        journalReducer, .on(LoggedIn.self) { journal, _ in journal.answers.removeAll() }))
    bench.store.dispatch(Begin())
    // The effect goes on only when all this is done.
    bench.store.dispatch(Answer(id: 1))
    bench.store.dispatch(LoggedIn(user: 1))
    await bench.settle()
    #expect(bench.store.state.begun.contains(7))
    bench.store.cancelEffects(.all)
    await bench.expectRest()
  }

  @Test func `E20: a condition ends with an error when the run is cancelled or the store gone`()
    async
  {
    let ends = Recorder<String>()
    let reader = Recorder<@Sendable () async throws -> Void>()
    do {
      let bench = TimedStore(
        .effect(on: Begin.self, reading: \.answers, name: "work") { begin, effect, answers in
          reader.record { try await effect.condition(answers) { !$0.isEmpty } }
          do {
            try await effect.condition(answers) { !$0.isEmpty }
          } catch {
            ends.record("\(error)")
          }
        })
      bench.store.dispatch(Begin())
      bench.store.cancelEffects(.named("work"))
      await bench.expectRest()
      #expect(ends.values == ["CancellationError()"])
    }
    await #expect(throws: CancellationError.self) { try await reader.values[0]() }
  }

  @Test func `E20: who waits from a reducer's predicate is found`() async {
    let (box, diagnostics) = (StoreBox(), Recorder<Diagnostic>())
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        _ = try await effect.take(LoggedIn.self) { _ in
          box.store?.dispatch(Answer(id: 1))
          return true
        }
      },
      diagnostics: { diagnostics.record($0) })
    box.set(store)
    store.dispatch(Begin())
    store.dispatch(LoggedIn(user: 1))
    await store.idle()
    #expect(store.state.answers.isEmpty)
    guard case .callDuringReduction(call: "dispatch", _) = diagnostics.values.first else {
      Issue.record("reported: \(diagnostics.values)")
      return
    }
  }

  @Test func `E19: sleeps of nothing and less return at once, and long ones do not`() async {
    let bench = TimedStore(
      .effect(on: Begin.self, name: "work") { begin, effect in
        let duration: Duration =
          switch begin.id {
          case 0: .zero
          case 1: .seconds(-1)
          case 2: .seconds(Int64.min)
          case 3: .seconds(100 * 86_400)
          default: .seconds(Int64.max)
          }
        try await effect.sleep(for: duration)
        effect.dispatch(Answer(id: begin.id))
      })
    for id in 0...4 { bench.store.dispatch(Begin(id: id)) }
    #expect(bench.answers == [0, 1, 2])
    await bench.advance(by: .seconds(100 * 86_400 - 1))
    #expect(bench.answers == [0, 1, 2])
    await bench.advance(by: .seconds(1))
    #expect(bench.answers == [0, 1, 2, 3])
    bench.store.cancelEffects(.named("work"))
    await bench.expectRest()
    #expect(bench.answers == [0, 1, 2, 3])
  }
}
