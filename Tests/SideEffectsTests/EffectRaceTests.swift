import Middleware
import SideEffects
import Store
import StoreTesting
import TestSupport
import Testing

/// Calls of which the first to end wins, and calls that may take only so long.
@Suite(.timeLimit(.minutes(5)))
struct EffectRaceTests {
  private struct Broken: Error, Equatable {}

  @Test func `E20: the first to end wins a race, and the others are cancelled`() async {
    let ends = Recorder<String>()
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        let winner = try await effect.race(
          {
            do { try await effect.sleep(for: .seconds(2)) } catch { ends.record("1: \(error)") }
            return 1
          },
          {
            try await effect.sleep(for: .seconds(1))
            return 2
          },
          {
            do { try await effect.sleep(for: .seconds(3)) } catch { ends.record("3: \(error)") }
            return 3
          })
        effect.dispatch(Answer(id: winner))
      })
    bench.store.dispatch(Begin())
    await bench.advance(by: .seconds(1))
    #expect(bench.answers == [2])
    #expect(ends.values.sorted() == ["1: CancellationError()", "3: CancellationError()"])
    await bench.expectRest()
  }

  @Test func `E20: an error that comes first is thrown`() async {
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        do {
          try await effect.race(
            {
              try await effect.sleep(for: .seconds(1))
              throw Broken()
            }, { try await effect.sleep(for: .seconds(2)) })
        } catch is Broken {
          effect.dispatch(Answer(id: 1))
        }
      })
    bench.store.dispatch(Begin())
    await bench.advance(by: .seconds(1))
    #expect(bench.answers == [1])
    await bench.expectRest()
  }

  @Test func `E20: once one has won none begins, and losers take no element`() async {
    let began = Recorder<Int>()
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    for number in 1...3 { continuation.yield(number) }
    continuation.finish()
    let bench = TimedStore(
      .effect(on: Begin.self) { begin, effect in
        let winner = try await effect.race(
          { 0 },
          {
            began.record(1)
            var iterator = numbers.makeAsyncIterator()
            return await iterator.next() ?? -1
          },
          {
            began.record(2)
            return -2
          })
        effect.dispatch(Answer(id: winner))
        for await number in numbers { effect.dispatch(Answer(id: number)) }
      })
    bench.store.dispatch(Begin())
    await bench.settle()
    #expect(began.values.isEmpty)
    #expect(bench.answers == [0, 1, 2, 3])
    await bench.expectRest()
  }

  @Test func `E20: a loser that waits for an element leaves it to the next`() async {
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    let bench = TimedStore(
      .effect(on: Begin.self) { begin, effect in
        let winner = try await effect.race(
          {
            var iterator = numbers.makeAsyncIterator()
            return await iterator.next() ?? -1
          },
          {
            try await effect.sleep(for: .seconds(1))
            return 0
          })
        effect.dispatch(Answer(id: winner))
        continuation.yield(1)
        continuation.finish()
        for await number in numbers { effect.dispatch(Answer(id: number)) }
      })
    bench.store.dispatch(Begin())
    await bench.advance(by: .seconds(1))
    #expect(bench.answers == [0])
    await bench.expectRest()
  }

  @Test func `E20: an action reaches all contenders that take it, and one wins`() async {
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        let winner = try await effect.race(
          { try await effect.take(Answer.self).id }, { try await effect.take(Answer.self).id })
        effect.dispatch(Answer(id: 10 * winner))
      })
    bench.store.dispatch(Begin())
    bench.store.dispatch(Answer(id: 1))
    await bench.settle()
    #expect(bench.answers == [1, 10])
    await bench.expectRest()
  }

  @Test func `E7: cancelling ends a race and all who take part`() async {
    let ends = Recorder<String>()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { _, effect in
        do {
          try await effect.race(
            { try await effect.sleep(for: .seconds(1_000)) },
            { _ = try await effect.take(Answer.self) }, { _ = await Gate().wait() })
          ends.record("won")
        } catch {
          ends.record("\(error)")
        }
      })
    store.dispatch(Begin())
    store.cancelEffects(.named("work"))
    await store.idle()
    // The one whose wait for the gate returns has ended without an error, if it was the first.
    #expect(ends.count == 1)
    #expect(store.liveEffects().isEmpty)
  }

  @Test func `E22: a call that takes too long ends with a typed error`() async throws {
    let errors = Recorder<EffectTimedOut>()
    let ended = Recorder<Bool>()
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        do {
          try await effect.timeout(after: .milliseconds(1_500)) {
            ended.record(await Gate().wait())
          }
        } catch let error as EffectTimedOut {
          errors.record(error)
        }
      })
    bench.store.dispatch(Begin())
    await bench.advance(by: .milliseconds(1_499))
    #expect(errors.values.isEmpty)
    await bench.advance(by: .milliseconds(1))
    let error = try #require(errors.values.first)
    #expect(error.limit == .milliseconds(1_500))
    #expect("\(error)" == "The call was not over after 1.5 s.")
    // The call was cancelled, and awaited.
    #expect(ended.values == [false])
    await bench.expectRest()
  }

  @Test func `E22: a call in time returns what it returns, nil too, or throws what it throws`()
    async
  {
    let bench = TimedStore(
      .effect(on: Begin.self) { begin, effect in
        do {
          let value = try await effect.timeout(after: .seconds(2)) { () async throws -> Int? in
            try await effect.sleep(for: .seconds(1))
            if begin.id == 2 { throw Broken() }
            return begin.id == 1 ? nil : begin.id
          }
          effect.dispatch(Answer(id: value ?? -1))
        } catch is Broken {
          effect.dispatch(Answer(id: -2))
        }
      })
    for id in 0...2 { bench.store.dispatch(Begin(id: id)) }
    await bench.advance(by: .seconds(1))
    #expect(bench.answers == [0, -1, -2])
    await bench.expectRest()
  }

  @Test func `E19: with no time left only a call that does not suspend is in time`() async {
    for limit in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
      let bench = TimedStore(
        .effect(on: Begin.self) { begin, effect in
          do {
            try await effect.timeout(after: limit) {
              if begin.id == 1 { _ = await Gate().wait() }
            }
            effect.dispatch(Answer(id: begin.id))
          } catch is EffectTimedOut {
            effect.dispatch(Answer(id: -1))
          }
        })
      for id in 0...1 { bench.store.dispatch(Begin(id: id)) }
      await bench.expectRest()
      #expect(bench.answers.sorted() == [-1, 0])
    }
  }

  @Test func `E22: a time limit on a call that throws when cancelled tells of the limit`() async {
    let bench = TimedStore(
      .effect(on: Begin.self) { _, effect in
        do {
          try await effect.timeout(after: .seconds(1)) {
            guard await Gate().wait() else { throw Broken() }
          }
        } catch is EffectTimedOut {
          effect.dispatch(Answer(id: 1))
        }
      })
    bench.store.dispatch(Begin())
    await bench.advance(by: .seconds(1))
    #expect(bench.answers == [1])
    await bench.expectRest()
  }
}
