import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// What effects do inside, on both engines.
@Suite(.timeLimit(.minutes(10)))
struct EngineCombinationTests {
  private struct Question: Action {
    var id: Int
  }

  @Test(arguments: Engine.allCases)
  func `E20: a race has one winner, and all have ended when it returns`(engine: Engine) async {
    await engine.run { trial in
      let store = trial.makeStore(
        .effect(on: Begin.self) { begin, effect in
          let running = Running()
          // Suspends before it can win: one that is over before the others begin keeps them out.
          @Sendable func contend(_ number: Int) async -> Int {
            running.enter()
            defer { running.leave() }
            _ = number == 0 ? await Gate().wait() : true
            await pause(number + begin.id)
            return number
          }
          let winner = try await effect.race(
            { await contend(0) }, { await contend(1) }, { await contend(2) })
          #expect(winner != 0, "\(trial)")
          #expect(running.count == 0, "\(trial)")
          effect.dispatch(Answer(id: begin.id))
        })
      await trial.sideBySide(4) { worker in store.dispatch(Begin(id: worker)) }
      await trial.expectRest(store)
      #expect(store.state.answers.sorted() == [0, 1, 2, 3], "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E20: an action reaches all who wait for it, and none misses its answer`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let taken = Recorder<Int>()
      let store = trial.makeStore(
        // Answers before the dispatch of its question has returned, or after a suspension.
        .effect(on: Question.self) { question, effect in
          if question.id.isMultiple(of: 2) { await Task.yield() }
          effect.dispatch(Answer(id: question.id))
        },
        .effect(on: Begin.self) { begin, effect in
          // After a suspension the answer may come before the dispatch of the question returns.
          await pause(begin.id % 3)
          let answer = try await effect.take(
            Answer.self, where: { $0.id == begin.id }, after: Question(id: begin.id))
          taken.record(answer.id)
        },
        .effect(on: Begin.self) { begin, effect in
          taken.record(100 + (try await effect.take(Answer.self) { $0.id == begin.id }).id)
        })
      await trial.sideBySide(6) { worker in
        await store.dispatch(Begin(id: worker)).finish()
        #expect(taken.values.contains(worker), "\(trial)")
      }
      store.cancelEffects(.all)
      await trial.expectRest(store)
      // The second may begin to wait after that, so it may wait for ever, until it is cancelled.
      #expect(taken.values.filter { $0 < 100 }.sorted() == Array(0..<6), "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E20: a run ends after its forks, and what it spawned outlives its cancel`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let store = trial.makeStore(
        .effect(on: Begin.self, key: \.id) { begin, effect in
          for number in 1...3 {
            effect.fork { effect in
              await pause(number)
              effect.dispatch(Answer(id: 10 * begin.id + number))
            }
          }
          effect.spawn { effect in
            await pause(5)
            effect.dispatch(Answer(id: 10 * begin.id + 9))
          }
        })
      await trial.sideBySide(3) { worker in
        let handle = store.dispatch(Begin(id: worker))
        await pause(worker)
        // What was spawned has no key.
        if worker == 2 { store.cancelEffects(.key(2)) }
        await handle.finish()
      }
      let answers = store.state.answers
      await trial.expectRest(store)
      #expect(answers.filter { $0 < 20 }.sorted() == [1, 2, 3, 9, 11, 12, 13, 19], "\(trial)")
      #expect(answers.contains(29), "\(trial)")
      #expect(store.state.answers == answers, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E21: n attempts are n calls, and none comes after a cancel`(engine: Engine) async {
    await engine.run { trial in
      let calls = Recorder<Int>()
      let failures = Recorder<EffectFailed>()
      let store = trial.makeStore(
        .effect(on: Begin.self, key: \.id) { begin, effect in
          try await effect.retry(.constant(.microseconds(10), attempts: begin.id + 1)) {
            calls.record(begin.id)
            await pause(1)
            throw Broken(id: begin.id)
          }
        },
        .on(EffectFailed.self) { failure, _ in failures.record(failure) })
      await trial.sideBySide(5) { worker in
        let handle = store.dispatch(Begin(id: worker))
        guard worker == 4 else { return await handle.finish() }
        await pause(3)
        handle.cancel()
        await handle.finish()
        let count = calls.values.count { $0 == 4 }
        await pause(3)
        #expect(calls.values.count { $0 == 4 } <= count + 1, "\(trial)")
      }
      await trial.expectRest(store)
      for times in 0..<4 { #expect(calls.values.count { $0 == times } == times + 1, "\(trial)") }
      let attempts = failures.values.map(\.attempt).sorted()
      #expect(attempts == [1, 2, 3, 4] || attempts == [1, 2, 3, 4, 5], "\(trial)")
    }
  }
}
