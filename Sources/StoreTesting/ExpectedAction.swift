public import Store

/// An action that a test expects in a group, and the change it makes.
public struct ExpectedAction<State> {
  let description: String
  let matches: (any Action) -> Bool
  let expected: ((inout State) -> Void)?

  /// Expects an action that equals this one.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - expected: changes the state before the action into the one that is expected after it; nil
  ///     expects no change.
  /// - Returns: the expectation.
  public static func action<A: Action & Equatable>(
    _ action: A, _ expected: ((inout State) -> Void)? = nil
  ) -> ExpectedAction {
    ExpectedAction(
      description: "\(action)", matches: { $0 as? A == action }, expected: expected)
  }

  /// Expects an action of a type.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - expected: changes the state before the action into the one that is expected after it; nil
  ///     expects no change.
  /// - Returns: the expectation.
  public static func action<A: Action>(
    _ type: A.Type, _ expected: ((inout State) -> Void)? = nil
  ) -> ExpectedAction {
    action(type, where: { _ in true }, expected)
  }

  /// Expects an action of a type, and something about it.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - matches: whether it is the one expected.
  ///   - expected: changes the state before the action into the one that is expected after it; nil
  ///     expects no change.
  /// - Returns: the expectation.
  public static func action<A: Action>(
    _ type: A.Type, where matches: @escaping (A) -> Bool,
    _ expected: ((inout State) -> Void)? = nil
  ) -> ExpectedAction {
    ExpectedAction(
      description: "an action of type \(type)",
      matches: { ($0 as? A).map(matches) ?? false }, expected: expected)
  }
}

// Its closures are those of one test.
@available(*, unavailable)
extension ExpectedAction: Sendable {}
