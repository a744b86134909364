import Store

/// What a test is told when it fails: what happened, where it came from, and what to do.
enum FailureText {
  static func otherChange(_ action: any Action, _ differences: [String]) -> String {
    """
    \(action) made another change than expected:
    \(list(differences))
    The closure starts from the state before the action; let it describe what the action makes of it.
    """
  }

  static func unexpectedChange(
    _ action: any Action, verb: String, _ differences: [String]
  ) -> String {
    """
    \(action) changed the state, and no change was expected:
    \(list(differences))
    If the change is right, describe it: `\(verb)(…) { $0.… = … }`.
    """
  }

  static func noChange(_ action: any Action, _ differences: [String]) -> String {
    """
    \(action) changed nothing, and a change was expected:
    \(list(differences))
    Does a reducer handle this action, and was it scoped to the right part of the state?
    """
  }

  static func kept(_ action: any Action) -> String {
    """
    \(action) did not reach the reducer, and a change was expected: a link of the chain kept it.
    If the link passes it on later, `receive` it and describe the change there.
    """
  }

  static func otherAction(
    _ action: any Action, of identity: DispatchIdentity, expected: String
  ) -> String {
    """
    Received \(action), expected \(expected).
    It was sent as \(identity).
    Actions are received in the order in which they were reduced.
    """
  }

  static func nothingComing(_ expected: String) -> String {
    """
    No action is coming: no effect is running and nothing is queued. Expected \(expected).
    Was the effect given to the store, does it handle the action that was sent, and was it perhaps \
    cancelled?
    """
  }

  static func nothingCame(_ expected: String, effects: Int, limit: Duration) -> String {
    """
    No action came within \(limit): \(count(effects, "effect")) still running. Expected \(expected).
    Give the effect a service that answers at once, or the TestStore a longer `limit`.
    """
  }

  static func unreceived(_ steps: [(action: any Action, identity: DispatchIdentity)]) -> String {
    """
    \(count(steps.count, "action")) not received:
    \(list(steps.map { "\($0.action), sent as \($0.identity)" }))
    Assert them in this order with `receive`.
    """
  }

  static func stillRunning(_ effects: Int, after limit: Duration?) -> String {
    """
    \(count(effects, "effect")) still running\(limit.map { " after \($0)" } ?? "").
    Let the effect end, await `finish()`, or send the action that cancels it.
    """
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun) is" : "\(number) \(noun)s are"
  }

  private static func list(_ lines: [String]) -> String {
    lines.map { "  \($0)" }.joined(separator: "\n")
  }
}
