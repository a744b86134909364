import Middleware
import Store

extension TestStore {
  /// The actions that are recorded and were not asserted, in order.
  var unreceived: [UnreceivedAction] {
    recorder.steps(from: asserted.next).filter { !asserted.contains($0.index) }
      .map { UnreceivedAction(action: $0.action, identity: $0.identity) }
  }

  func check(
    _ step: Step<State>, sentAs action: any Action, verb: String,
    _ expected: ((inout State) -> Void)?, at location: TestLocation
  ) {
    let description = described(by: expected, from: step.before)
    guard description != step.after else { return }
    if exhaustivity == .off {
      let differences = differencesSet(by: expected, in: step, described: description)
      guard !differences.isEmpty else { return }
      return report(FailureText.otherChange(action, differences), location)
    }
    let differences = Difference.between(
      expected: description.value, actual: step.after.value)
    if expected == nil {
      report(FailureText.unexpectedChange(action, verb: verb, differences), location)
    } else if step.before == step.after {
      report(FailureText.noChange(action, differences), location)
    } else {
      report(FailureText.otherChange(action, differences), location)
    }
  }

  /// Returns those differences that are in a part which the closure sets.
  ///
  /// It sets what it changes in the state before the action, and what it would change in that after
  /// the action: the value of before is an expectation too.
  private func differencesSet(
    by expected: ((inout State) -> Void)?, in step: Step<State>, described: BoxedValue<State>
  ) -> [String] {
    guard expected != nil else { return [] }
    let afterwards = self.described(by: expected, from: step.after)
    let set =
      Difference.between(step.before, described) + Difference.between(step.after, afterwards)
    return Difference.between(described, step.after)
      .filter { difference in
        set.contains { $0.isWithin(difference) || difference.isWithin($0) }
      }
      .map(\.expectation)
  }

  /// What the test says that an action makes of `state`; without a closure that is nothing.
  func described(
    by expected: ((inout State) -> Void)?, from state: BoxedValue<State>
  ) -> BoxedValue<State> {
    guard let expected else { return state }
    var description = state.value
    expected(&description)
    return BoxedValue(description)
  }
}

extension Difference {
  /// Whether its part is that of another, or a part of that.
  fileprivate func isWithin(_ other: Difference) -> Bool {
    guard path.hasPrefix(other.path) else { return false }
    let rest = path.dropFirst(other.path.count)
    return other.path.isEmpty || rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[")
  }
}
