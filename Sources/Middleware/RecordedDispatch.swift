public import Store

/// A dispatch that passed `Middleware.recording(_:)`, with what became of it.
public struct RecordedDispatch: Sendable {
  /// Which dispatch it was, what caused it, and the line it was made in.
  public let identity: DispatchIdentity
  /// The action as it came to the recording link, which may not be the one that was dispatched, nor
  /// the one that was reduced.
  public let action: any Action
  /// What the rest of the chain did with the action.
  public let result: DispatchResult
  /// How long the rest of the chain took, with the reducer and with what links dispatched
  /// meanwhile, but without observers, items and effects.
  public let duration: Duration
}

extension RecordedDispatch: CustomStringConvertible {
  /// One line with the number, the cause, the action, the result and the duration, whatever the
  /// action prints.
  public var description: String {
    let outcome =
      switch result {
      case .swallowed: "swallowed"
      case .reduced(let commit): "reduced as commit \(commit)"
      }
    return """
      \(SingleLine(identity, limit: 300).text): \(actionText) \(outcome) in \(duration.readable)
      """
  }

  /// The action as it prints, after the name of its type if that is not said.
  private var actionText: String {
    var line = SingleLine(limit: 500)
    if Mirror(reflecting: action).displayStyle == .enum, !(action is any CustomStringConvertible) {
      print(type(of: action), terminator: ".", to: &line)
    }
    print(action, terminator: "", to: &line)
    return line.text
  }
}
