/// What an observer of changes is told: a part of the state before and after an action, and which
/// action that was.
public struct StateChange<Value: Sendable>: Sendable {
  /// The value before the action; nil for the value that an observer is told when it subscribes.
  public let old: Value?
  /// The value after the action.
  public let new: Value
  /// The action that was reduced; nil for the value that an observer is told when it subscribes.
  public let action: (any Action)?
  /// Which dispatch that was; nil for the value that an observer is told when it subscribes.
  public let identity: DispatchIdentity?

  @inlinable
  init(old: Value?, new: Value, action: (any Action)?, identity: DispatchIdentity?) {
    self.old = old
    self.new = new
    self.action = action
    self.identity = identity
  }
}
