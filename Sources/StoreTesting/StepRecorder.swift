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

  /// The first commit, not before `index`, of the dispatch of this number.
  func step(ofDispatch number: UInt64, from index: Int) -> Step<State>? {
    memory.withLock { $0.steps.dropFirst(index).first { $0.identity.number == number } }
  }

  /// The first commit, not before `index`, of which `isMeant` is true.
  func firstStep(from index: Int, where isMeant: (Step<State>) -> Bool) -> Step<State>? {
    // Looked at one by one, and not while this is locked: it may be code of the user's that looks.
    var index = index
    while let step = memory.withLock({ $0.steps.indices.contains(index) ? $0.steps[index] : nil }) {
      if isMeant(step) { return step }
      index += 1
    }
    return nil
  }

  func steps(from index: Int) -> [Step<State>] {
    memory.withLock { Array($0.steps.dropFirst(index)) }
  }

  /// How many commits there were.
  var count: Int { memory.withLock { $0.steps.count } }

  /// Returns what the next commit finishes, or nil if there were more than `count` already.
  func arrival(after count: Int) -> Completion? {
    memory.withLock { memory in
      guard memory.steps.count <= count else { return nil }
      let arrival = memory.arrival ?? Completion()
      memory.arrival = arrival
      return arrival
    }
  }
}
