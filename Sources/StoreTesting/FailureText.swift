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

  /// Told when an action was awaited that did not come.
  static func nothingCame(
    _ expected: String, _ activity: Activity, _ stop: WaitStop, skipped: [UnreceivedAction] = []
  ) -> String {
    let others = skipped.isEmpty ? "" : "\nOther actions came:\n\(list(skipped.map(\.description)))"
    switch stop {
    case .certain where (activity.runs + activity.background).isEmpty:
      return """
        No action is coming: no effect is running and nothing is queued. Expected \(expected).\(others)
        Was the effect given to the store, does it handle the action that was sent, and was it \
        perhaps cancelled?
        """
    case .certain:
      return """
        No action is coming: \(asleep(activity))
        Expected \(expected).\(others)
        \(activity.wakingAdvice ?? "None of them goes on before another does.")
        """
    case .limit(let limit):
      let running =
        "Give the effect a service that answers at once, or the TestStore a longer `limit`."
      return """
        No action came within \(limit). Expected \(expected).\(others)
        \(activity)
        \(advice(activity, running: activity.wakingAdvice ?? running))
        """
    }
  }

  /// Told when what runs on the executor goes on and on.
  static func restless(_ activity: Activity, after limit: Duration) -> String {
    """
    The effects have not come to rest within \(limit): one goes on and on without waiting.
    \(activity)
    An effect that does something again and again waits in between: `try await effect.sleep(for: …)`.
    """
  }

  static func unreceived(_ actions: [UnreceivedAction]) -> String {
    """
    \(count(actions.count, "action")) not received:
    \(list(actions.map(\.description)))
    Assert them in this order with `receive`.
    """
  }

  /// Told by `finish()`.
  static func notFinished(_ activity: Activity, _ stop: WaitStop) -> String {
    let them = activity.them
    switch stop {
    case .certain:
      return """
        The store cannot finish by itself: \(asleep(activity))
        \(activity.wakingAdvice ?? "None of them goes on before another does.") \
        Or cancel \(them): \(activity.cancelCall).
        """
    case .limit(let limit):
      let running =
        activity.wakingAdvice.map { "\($0) Or cancel \(them): \(activity.cancelCall)." }
          ?? """
          Let \(them) end, give the TestStore a longer `limit`, or cancel \(them): \
          \(activity.cancelCall).
          """
      return """
        The store has not finished within \(limit).
        \(activity)
        \(advice(activity, running: running))
        """
    }
  }

  /// Told when a store is released that nobody finished.
  static func releasedRunning(_ activity: Activity) -> String {
    let them = activity.them
    return """
      \(activity)
      Await `finish()` to let \(them) end, or cancel \(them): \(activity.cancelCall).
      """
  }

  /// Says of effects that wait what they wait for, as the end of a sentence.
  private static func asleep(_ activity: Activity) -> String {
    let alive = activity.runs + activity.background
    guard let first = alive.first, alive.count == 1 else {
      return "\(alive.count) effects wait.\n\(list(alive.map(activity.line)))"
    }
    return "effect \(activity.line(first))."
  }

  private static func advice(_ activity: Activity, running: String) -> String {
    if !(activity.runs + activity.background).isEmpty {
      running
    } else if activity.cancelled > 0 {
      "A body ends when it asks whether it was cancelled: `try Task.checkCancellation()`."
    } else {
      "Neither may wait for anything: that is the work of an effect."
    }
  }

  static func otherSnapshot(_ snapshot: Snapshot, _ difference: LineDifference) -> String {
    """
    “\(snapshot.name)” is not as recorded (- recorded, + now):
    \(difference)
    If it is right now, record it: `record: true`, or run the tests with MILLRACE_RECORD=1.
    The snapshot is \(snapshot.path).
    """
  }

  static func snapshotRecorded(_ snapshot: Snapshot) -> String {
    """
    There was no snapshot “\(snapshot.name)”, so it was recorded and nothing compared.
    Read it, keep it with the test, and run the test again: \(snapshot.path).
    """
  }

  static func snapshotRecordedByCall(_ snapshot: Snapshot) -> String {
    """
    “\(snapshot.name)” was recorded, and nothing compared.
    Read it, and take `record: true` out of the call: \(snapshot.path).
    """
  }

  static func badSnapshotName(_ name: String) -> String {
    """
    “\(name)” cannot name a snapshot.
    It is to be the name of a file: not empty, without `/`, and not beginning with a period.
    """
  }

  static func snapshotOutOfReach(_ snapshot: Snapshot, _ error: any Error) -> String {
    """
    The snapshot “\(snapshot.name)” can be neither read nor written: \(error)
    It should be \(snapshot.path). Do the tests run where their sources are?
    """
  }

  /// The descriptions of what is left of a group.
  static func oneOf(_ descriptions: [String]) -> String {
    descriptions.count == 1
      ? descriptions[0] : "one of: \(descriptions.joined(separator: ", "))"
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun) is" : "\(number) \(noun)s are"
  }

  private static func list(_ lines: [String]) -> String {
    lines.map { "  \($0)" }.joined(separator: "\n")
  }
}

/// An action that a test did not receive.
struct UnreceivedAction: Sendable, CustomStringConvertible {
  let action: any Action
  let identity: DispatchIdentity

  var description: String { "\(action), sent as \(identity)" }
}
