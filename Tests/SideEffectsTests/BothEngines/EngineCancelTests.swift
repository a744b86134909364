import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// How effects are cancelled, on both engines.
@Suite(.timeLimit(.minutes(10)))
struct EngineCancelTests {
  /// What a scenario cancels by.
  enum Means: CaseIterable {
    case key, name, handle, all
  }

  @Test(arguments: Engine.allCases, Means.allCases)
  func `E6: after a cancel has returned nothing of a deaf effect is reduced`(
    engine: Engine, means: Means
  ) async {
    await engine.run { trial in
      let bodies = Recorder<Int>()
      let store = trial.makeStore(
        .effect(on: Begin.self, key: \.id, name: "work") { begin, effect in
          for _ in 0..<6 {
            // A suspension: here the engine may let others go first.
            await Task.yield()
            effect.dispatch(Answer(id: begin.id))
          }
          bodies.record(begin.id)
        })
      await trial.sideBySide(4) { worker in
        let handle = store.dispatch(Begin(id: worker))
        await pause(2 * worker)
        switch means {
        case .key: store.cancelEffects(.key(worker))
        case .name: store.cancelEffects(.named("work", key: worker))
        case .handle: handle.cancel()
        case .all: store.cancelEffects(.all)
        }
        let before = store.state.answers.count { $0 == worker }
        await handle.finish()
        await pause(3)
        #expect(store.state.answers.count { $0 == worker } == before, "\(trial)")
      }
      await trial.expectRest(store)
      // Each came to its end all the same, unless it was cancelled before it had begun.
      #expect(Set(bodies.values).count == bodies.count, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E9: nothing of a run, or of its forks, is reduced after a newer action`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let reducer = Reducer<Journal>.combine(
        journalReducer,
        .on(Answer.self) { journal, answer in
          if journal.begun.last != answer.id { journal.failures.append("late \(answer.id)") }
        })
      let store = trial.makeStore(
        .effect(on: Begin.self, .latest) { begin, effect in
          effect.fork { effect in
            await pause(2)
            effect.dispatch(Answer(id: begin.id))
          }
          for _ in 0..<3 {
            effect.dispatch(Answer(id: begin.id))
            // A suspension: here the engine may let others go first.
            await Task.yield()
          }
        }, reducer: reducer)
      await trial.sideBySide(3) { worker in
        for number in 0..<4 {
          store.dispatch(Begin(id: 10 * worker + number))
          await pause(worker + 1)
        }
      }
      await trial.expectRest(store)
      #expect(store.state.failures == [], "\(trial)")
      // The last one was not disturbed: its body and its fork said all they had to.
      let last = store.state.begun.last
      #expect(store.state.answers.count { $0 == last } == 4, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E9: a chain in which each run restarts its own key runs to its end`(engine: Engine) async {
    await engine.run { trial in
      let store = trial.makeStore(
        .effect(on: Begin.self, key: { $0.id / 100 }, .latest) { begin, effect in
          // A suspension: here the engine may let others go first.
          await Task.yield()
          effect.dispatch(Answer(id: begin.id))
          if begin.id % 100 < 9 { effect.dispatch(Begin(id: begin.id + 1)) }
          // By now this one has been replaced.
          effect.dispatch(Answer(id: begin.id % 100 < 9 ? -1 : begin.id + 1))
        })
      await trial.sideBySide(3) { worker in await store.dispatch(Begin(id: 100 * worker)).finish() }
      await trial.expectRest(store)
      let pages = (0..<3).flatMap { chain in (0...10).map { 100 * chain + $0 } }
      #expect(store.state.answers.sorted() == pages, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E10: a cancel of a run ends its forks, and one of a fork leaves the others`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let store = trial.makeStore(
        .effect(on: Begin.self, key: \.id) { begin, effect in
          let forks = (0..<3).map { number in
            effect.fork { effect in
              // Of the run that is cancelled one ends only with that.
              if begin.id == 1, number == 0 { await Gate().wait() }
              await pause(2 * number)
              try Task.checkCancellation()
              effect.dispatch(Answer(id: 10 * begin.id + number))
            }
          }
          forks[2].cancel()
          await forks[2].finish()
          effect.dispatch(Answer(id: 10 * begin.id + 9))
          for fork in forks { await fork.finish() }
          effect.dispatch(Answer(id: 10 * begin.id + 8))
        })
      let handle = store.dispatch(Begin(id: 1))
      let other = store.dispatch(Begin(id: 2))
      await pause(2)
      handle.cancel()
      let cancelled = store.state.answers.filter { $0 < 20 }
      await other.finish()
      await trial.expectRest(store)
      #expect(store.state.answers.filter { $0 < 20 } == cancelled, "\(trial)")
      let others = store.state.answers.filter { $0 >= 20 }
      // The cancel may come when the third fork has sent already.
      #expect(others.filter { $0 != 22 }.sorted() == [20, 21, 28, 29], "\(trial)")
      #expect(others.last == 28, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E33: nothing of an effect is reduced after its element was removed`(engine: Engine) async {
    await engine.run { trial in
      let reducer = Reducer<Journal>.combine(
        journalReducer,
        .on(Removal.self) { journal, removal in journal.begun.removeAll { $0 == removal.id } },
        .on(Answer.self) { journal, answer in
          if !journal.begun.contains(answer.id) { journal.failures.append("late \(answer.id)") }
        })
      let work = MiddlewareItem.effect(on: Begin.self, key: \.id) { begin, effect in
        for _ in 0..<4 {
          // A suspension: here the engine may let others go first.
          await Task.yield()
          effect.dispatch(Answer(id: begin.id))
        }
      }
      let store = trial.makeStore(
        [work.cancelled(unless: { (journal: Journal, id: Int) in journal.begun.contains(id) })],
        reducer: reducer)
      await trial.sideBySide(4) { worker in
        store.dispatch(Begin(id: worker))
        await pause(worker)
        if worker > 0 { store.dispatch(Removal(id: worker)) }
      }
      await trial.expectRest(store)
      #expect(store.state.failures == [], "\(trial)")
      #expect(store.state.answers.count { $0 == 0 } == 4, "\(trial)")
    }
  }
}

/// Takes an element away.
struct Removal: Action {
  var id: Int
}
