import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// What policies make of actions that come side by side, on both engines.
@Suite(.timeLimit(.minutes(10)))
struct EnginePolicyTests {
  /// What became of fifteen actions that three workers sent.
  private struct Outcome {
    var journal: Journal
    var began: [Int]
    /// How many bodies were at work at a time at most.
    var most: Int
    var failures: [EffectFailed]

    /// Whether all answers came in the order of their actions.
    var isInOrder: Bool {
      let places = journal.answers.map { journal.begun.firstIndex(of: $0) ?? -1 }
      return places == places.sorted() && Set(places).count == places.count
    }
  }

  /// Runs bodies that suspend a few times, three of them sent by each of five workers.
  private static func outcome(of policy: EffectPolicy, in trial: Trial) async -> Outcome {
    let (running, began, failures) = (Running(), Recorder<Int>(), Recorder<EffectFailed>())
    let store = trial.makeStore(
      .effect(on: Begin.self, policy, name: "work") { begin, effect in
        running.enter()
        defer { running.leave() }
        began.record(begin.id)
        await pause(begin.id % 4)
        effect.dispatch(Answer(id: begin.id))
      },
      .on(EffectFailed.self) { failure, _ in failures.record(failure) })
    await trial.sideBySide(5) { worker in
      for number in 0..<3 {
        let handle = store.dispatch(Begin(id: 3 * worker + number))
        // Some wait for their runs, others only let the engine change over.
        if worker.isMultiple(of: 2) { await handle.finish() } else { await Task.yield() }
      }
    }
    await trial.expectRest(store)
    return Outcome(
      journal: store.state, began: began.values, most: running.most, failures: failures.values)
  }

  @Test(arguments: Engine.allCases)
  func `E12: under every, each action has its run`(engine: Engine) async {
    await engine.run { trial in
      let outcome = await Self.outcome(of: .every, in: trial)
      #expect(outcome.began == outcome.journal.begun, "\(trial)")
      #expect(outcome.journal.answers.sorted() == Array(0..<15), "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E13: under latest, the last action's run delivers, and answers keep their order`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let outcome = await Self.outcome(of: .latest, in: trial)
      #expect(outcome.journal.answers.last == outcome.journal.begun.last, "\(trial)")
      #expect(outcome.isInOrder, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E14: under leading, one runs at a time, and each that begins delivers`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let outcome = await Self.outcome(of: .leading, in: trial)
      #expect(outcome.began.first == outcome.journal.begun.first, "\(trial)")
      #expect(outcome.journal.answers == outcome.began, "\(trial)")
      #expect(outcome.most == 1, "\(trial)")
      #expect(outcome.isInOrder, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E15: a queue runs all, one at a time, in the order of their actions`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let outcome = await Self.outcome(of: .queue, in: trial)
      #expect(outcome.journal.answers == outcome.journal.begun, "\(trial)")
      #expect(outcome.most == 1, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E15: a queue of two begins all in order, two at a time`(engine: Engine) async {
    await engine.run { trial in
      let outcome = await Self.outcome(of: .queue(limit: 2), in: trial)
      #expect(outcome.began == outcome.journal.begun, "\(trial)")
      #expect(outcome.journal.answers.sorted() == Array(0..<15), "\(trial)")
      #expect(outcome.most <= 2, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E15: a queue that drops the oldest runs the newest, in order`(engine: Engine) async {
    await engine.run { trial in
      let policy = EffectPolicy.queue(limit: 1, capacity: 1, overflow: .dropOldest)
      let outcome = await Self.outcome(of: policy, in: trial)
      #expect(outcome.journal.answers.last == outcome.journal.begun.last, "\(trial)")
      #expect(outcome.isInOrder, "\(trial)")
      #expect(outcome.most == 1, "\(trial)")
      #expect(outcome.failures.isEmpty, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E15: of a queue that fails when it is full, each action runs or fails`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let policy = EffectPolicy.queue(limit: 1, capacity: 1, overflow: .fail)
      let outcome = await Self.outcome(of: policy, in: trial)
      #expect(outcome.failures.allSatisfy { $0.error is EffectQueueFull }, "\(trial)")
      #expect(outcome.journal.answers.count + outcome.failures.count == 15, "\(trial)")
      #expect(outcome.journal.answers.prefix(1) == outcome.journal.begun.prefix(1), "\(trial)")
      #expect(outcome.isInOrder, "\(trial)")
      #expect(outcome.most == 1, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E16: keepLatest runs one at a time, in order, and the last action's too`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let outcome = await Self.outcome(of: .keepLatest, in: trial)
      #expect(outcome.journal.answers.first == outcome.journal.begun.first, "\(trial)")
      #expect(outcome.journal.answers.last == outcome.journal.begun.last, "\(trial)")
      #expect(outcome.isInOrder, "\(trial)")
      #expect(outcome.most == 1, "\(trial)")
    }
  }
}
