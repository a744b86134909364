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

  static func nothingCame(_ expected: String, _ activity: Activity, limit: Duration) -> String {
    let running =
      "Give the effect a service that answers at once, or the TestStore a longer `limit`."
    return """
      No action came within \(limit). Expected \(expected).
      \(activity)
      \(advice(activity, running: running))
      """
  }

  static func unreceived(_ steps: [(action: any Action, identity: DispatchIdentity)]) -> String {
    """
    \(count(steps.count, "action")) not received:
    \(list(steps.map { "\($0.action), sent as \($0.identity)" }))
    Assert them in this order with `receive`.
    """
  }

  /// Told by `finish()`, which has waited.
  static func notFinished(_ activity: Activity, after limit: Duration) -> String {
    let them = activity.them
    let running = """
      Let \(them) end, give the TestStore a longer `limit`, or cancel \(them): \(activity.cancelCall).
      """
    return """
      The store has not finished within \(limit).
      \(activity)
      \(advice(activity, running: running))
      """
  }

  /// Told when a store is released that nobody finished.
  static func releasedRunning(_ activity: Activity) -> String {
    let them = activity.them
    return """
      \(activity)
      Await `finish()` to let \(them) end, or cancel \(them): \(activity.cancelCall).
      """
  }

  private static func advice(_ activity: Activity, running: String) -> String {
    if !activity.runs.isEmpty {
      running
    } else if activity.cancelled > 0 {
      "A body ends when it asks whether it was cancelled: `try Task.checkCancellation()`."
    } else {
      "Neither may wait for anything: that is the work of an effect."
    }
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun) is" : "\(number) \(noun)s are"
  }

  private static func list(_ lines: [String]) -> String {
    lines.map { "  \($0)" }.joined(separator: "\n")
  }
}
