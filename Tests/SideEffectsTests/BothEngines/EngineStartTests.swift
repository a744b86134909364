import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// How effects begin and end, on both engines.
@Suite(.timeLimit(.minutes(10)))
struct EngineStartTests {
  @Test(arguments: Engine.allCases)
  func `E1: effects start in the order registered, and their state contains the action`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let starts = Recorder<[Int]>()
      let items = (0..<3).map { number in
        StateItem<Journal>.effect(on: Begin.self, reading: \.begun) { begin, _, begun in
          starts.record([begin.id, number])
          #expect(begun()?.contains(begin.id) == true, "\(trial)")
          await pause(number)
        }
      }
      let store = trial.makeStore(items)
      await trial.sideBySide(3) { worker in
        for number in 0..<5 {
          store.dispatch(Begin(id: 10 * worker + number))
          // A suspension: here the engine may let others go first.
          await Task.yield()
        }
      }
      await trial.expectRest(store)
      #expect(
        starts.values == store.state.begun.flatMap { id in (0..<3).map { [id, $0] } }, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E2: what is sent just before the end is delivered, and what comes after it is not`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let (contexts, reports) = (Recorder<EffectContext>(), Recorder<Diagnostic>())
      let store = trial.makeStore(
        .effect(on: Begin.self, name: "work") { begin, effect in
          contexts.record(effect)
          await pause(begin.id)
          effect.dispatch(Answer(id: begin.id))
        }, diagnostics: { reports.record($0) })
      await trial.sideBySide(4) { worker in
        await store.dispatch(Begin(id: worker)).finish()
        #expect(store.state.answers.contains(worker), "\(trial)")
      }
      for context in contexts.values { context.dispatch(Answer(id: -1)) }
      #expect(store.state.answers.sorted() == [0, 1, 2, 3], "\(trial)")
      #expect(reports.count == 4, "\(trial)")
      for case .actionAfterEffectEnded(_, let name, let origin, _) in reports.values {
        #expect(name == "work", "\(trial)")
        #expect(origin.cause == .caller, "\(trial)")
      }
      await trial.expectRest(store)
    }
  }

  @Test(arguments: Engine.allCases)
  func `E23: an error is sent once, and stops nothing else`(engine: Engine) async {
    await engine.run { trial in
      let failures = Recorder<EffectFailed>()
      let store = trial.makeStore(
        .effect(on: Begin.self, key: \.id, name: "work") { begin, effect in
          await pause(begin.id % 3)
          effect.dispatch(Answer(id: begin.id))
          await pause(begin.id % 2)
          if begin.id.isMultiple(of: 2) { throw Broken(id: begin.id) }
        },
        .on(EffectFailed.self) { failure, _ in failures.record(failure) })
      await trial.sideBySide(8) { worker in store.dispatch(Begin(id: worker)) }
      await trial.expectRest(store)
      #expect(store.state.answers.sorted() == Array(0..<8), "\(trial)")
      let ids = failures.values.map { ($0.error as? Broken)?.id }
      #expect(ids.compactMap(\.self).sorted() == [0, 2, 4, 6], "\(trial)")
      #expect(failures.values.map { $0.key as? Int } == ids, "\(trial)")
      #expect(failures.values.allSatisfy { $0.name == "work" && $0.attempt == 1 }, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E24: a fork that fails cancels its siblings and the body, and is told of once`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let (failures, ends) = (Recorder<String>(), Recorder<Bool>())
      let store = trial.makeStore(
        .effect(on: Begin.self) { begin, effect in
          for sibling in 0..<3 {
            effect.fork { _ in
              await pause(sibling)
              ends.record(await Gate().wait())
              throw Broken(id: -1)
            }
          }
          effect.fork { _ in
            await pause(begin.id)
            throw Broken(id: begin.id)
          }
          ends.record(await Gate().wait())
          if begin.id == 1 { throw CancellationError() }
        },
        .on(EffectFailed.self) { failure, _ in failures.record("\(failure.error)") })
      await trial.sideBySide(3) { worker in await store.dispatch(Begin(id: worker)).finish() }
      await trial.expectRest(store)
      #expect(failures.values.sorted() == ["0 broke", "1 broke", "2 broke"], "\(trial)")
      // A sibling that had not begun when the other failed never does.
      #expect(ends.count >= 3, "\(trial)")
      #expect(!ends.values.contains(true), "\(trial)")
    }
  }
}

/// What effects under test throw.
struct Broken: Error, Equatable, CustomStringConvertible {
  var id: Int
  var description: String { "\(id) broke" }
}
