import Store

/// One commit, as a test walks through them.
struct Step<State: Sendable>: Sendable {
  /// Its place among the commits, from zero.
  let index: Int
  let action: any Action
  let identity: DispatchIdentity
  /// The state that the commit found, which is the one that the commit before it had made.
  let before: BoxedValue<State>
  /// The state that it made.
  let after: BoxedValue<State>
}

/// Records every commit of a store, in order, with the state it made.
final class StepRecorder<State: Sendable>: Sendable {
  private struct Memory {
    var steps: [Step<State>] = []
    /// Finished by the next step; nil while nobody waits.
    var arrival: Completion?
  }

  /// How waiting for a step ended.
  enum Wait: Sendable {
    /// With the step.
    case step(Step<State>)
    /// With a store that has nothing left to do.
    case idle
    /// With the end of patience.
    case limit
  }

  private let initialState: BoxedValue<State>
  private let memory = Lock(Memory())

  init(initialState: BoxedValue<State>) { self.initialState = initialState }

  /// The innermost link of the chain, which reads each state in the critical section of its commit.
  var link: Middleware<State> {
    Middleware { action, context, next in
      let identity = context.identity
      let (result, arrival) = next(
        action,
        reading: { state in
          self.memory.withLock { memory in
            memory.steps.append(
              Step(
                index: memory.steps.count, action: action, identity: identity,
                before: memory.steps.last?.after ?? self.initialState, after: BoxedValue(state)))
            defer { memory.arrival = nil }
            return memory.arrival
          }
        })
      arrival??.finish()
      return result
    }
  }

  func step(at index: Int) -> Step<State>? {
    memory.withLock { $0.steps.count > index ? $0.steps[index] : nil }
  }

  /// The first commit, not before `index`, of the dispatch of this number.
  func step(ofDispatch number: UInt64, from index: Int) -> Step<State>? {
    memory.withLock { $0.steps.dropFirst(index).first { $0.identity.number == number } }
  }

  func steps(from index: Int) -> [Step<State>] {
    memory.withLock { Array($0.steps.dropFirst(index)) }
  }

  /// Waits for a step, unless none can come any more.
  func awaitStep(at index: Int, of store: Store<State>, limit: Duration) async -> Wait {
    let arrival = memory.withLock { memory -> Completion? in
      guard memory.steps.count <= index else { return nil }
      let arrival = memory.arrival ?? Completion()
      memory.arrival = arrival
      return arrival
    }
    let withoutStep = await withTaskGroup(of: Wait?.self) { group in
      if let arrival {
        group.addTask {
          await arrival.wait()
          return nil
        }
        group.addTask {
          await store.idle()
          return .idle
        }
        group.addTask {
          // Real time, for an effect that neither ends nor sends: nothing else can end this wait.
          // The other two children cancel it as soon as they know better.
          try? await Task.sleep(for: limit)
          return .limit
        }
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    return step(at: index).map { .step($0) } ?? withoutStep ?? .idle
  }
}

extension Store {
  /// Waits until the store is idle, and answers whether that came before `limit` ended.
  func isIdle(within limit: Duration) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await self.idle()
        return !Task.isCancelled
      }
      group.addTask {
        // Real time, for an effect that does not end; cancelled when the store is idle.
        try? await Task.sleep(for: limit)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? true
    }
  }
}
