import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// Runs that share a call, on both engines.
@Suite(.timeLimit(.minutes(10)))
struct EngineShareTests {
  private struct Refresh: Action {
    var id: Int
    var isForced = false
  }

  /// Numbers its calls, counted from 1.
  private final class Service: Sendable {
    private let calls = TestLock(0)

    var count: Int { calls.withLock { $0 } }

    func begin() -> Int {
      calls.withLock { calls in
        calls += 1
        return calls
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `E25: requests in flight make one call, and all get its result`(engine: Engine) async {
    await engine.run { trial in
      let (service, gate) = (Service(), Gate())
      let store = trial.makeStore(
        .effect(on: Refresh.self) { refresh, effect in
          let answer = try await effect.share {
            let number = service.begin()
            await gate.wait()
            await pause(number)
            return number
          }
          effect.dispatch(Answer(id: 10 * refresh.id + answer))
        })
      await trial.sideBySide(4) { worker in
        await pause(worker)
        store.dispatch(Refresh(id: worker))
      }
      gate.open()
      await trial.expectRest(store)
      #expect(service.count == 1, "\(trial)")
      #expect(store.state.answers.sorted() == [1, 11, 21, 31], "\(trial)")
      // Once it is answered, the next makes a call of its own.
      await store.dispatch(Refresh(id: 5)).finish()
      #expect(store.state.answers.last == 52, "\(trial)")
      await trial.expectRest(store)
    }
  }

  @Test(arguments: Engine.allCases)
  func `E25: who is cancelled leaves the call to the others`(engine: Engine) async {
    await engine.run { trial in
      let (service, gate) = (Service(), Gate())
      let store = trial.makeStore(
        .effect(on: Refresh.self) { refresh, effect in
          let answer = try await effect.share {
            let number = service.begin()
            guard await gate.wait() else { throw Broken(id: number) }
            return number
          }
          effect.dispatch(Answer(id: 10 * refresh.id + answer))
        })
      let first = store.dispatch(Refresh(id: 0))
      await trial.sideBySide(4) { worker in
        await pause(worker)
        let handle = store.dispatch(Refresh(id: worker + 1))
        if worker.isMultiple(of: 2) { handle.cancel() }
        if worker == 3 { first.cancel() }
      }
      gate.open()
      await trial.expectRest(store)
      #expect(service.count == 1, "\(trial)")
      #expect(store.state.answers.sorted() == [21, 41], "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E26: under latest and share, no answer is older than the one before it`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let service = Service()
      let store = trial.makeStore(
        .effect(on: Refresh.self, .latest) { refresh, effect in
          let answer = try await effect.share(forced: refresh.isForced) {
            let number = service.begin()
            // The older a call, the longer it may take.
            await pause(8 - number % 8)
            return number
          }
          effect.dispatch(Answer(id: answer))
        })
      await trial.sideBySide(3) { worker in
        for number in 0..<4 {
          store.dispatch(Refresh(id: number, isForced: (worker + number).isMultiple(of: 2)))
          await pause(2 * worker)
        }
      }
      await trial.expectRest(store)
      #expect(store.state.answers == store.state.answers.sorted(), "\(trial)")
      #expect(!store.state.answers.isEmpty, "\(trial)")
    }
  }

  @Test(arguments: Engine.allCases)
  func `E26: who asks after a forced request gets its answer, and nobody an older one later`(
    engine: Engine
  ) async {
    await engine.run { trial in
      let (began, gates) = (Recorder<Int>(), (0...2).map { _ in Gate() })
      let service = Service()
      let store = trial.makeStore(
        .effect(on: Refresh.self) { refresh, effect in
          let answer = try await effect.share(forced: refresh.isForced) {
            let number = service.begin()
            began.record(number)
            // A request that comes after the answer makes a third call.
            if gates.indices.contains(number) { await gates[number].wait() }
            return number
          }
          effect.dispatch(Answer(id: 10 * refresh.id + answer))
        })
      store.dispatch(Refresh(id: 0))
      await began.waitForCount(1)
      store.dispatch(Refresh(id: 1, isForced: true))
      await began.waitForCount(2)
      await trial.sideBySide(3) { worker in
        await pause(worker)
        store.dispatch(Refresh(id: 2 + worker))
        if worker == 1 { gates[2].open() }
      }
      gates[1].open()
      await trial.expectRest(store)
      #expect(service.count >= 2, "\(trial)")
      let newest = store.state.answers.filter { $0 >= 10 }.map { $0 % 10 }
      #expect(newest.count == 4 && newest.allSatisfy { $0 >= 2 }, "\(trial)")
    }
  }
}
