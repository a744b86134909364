/// Something that happened, or that somebody wants to happen.
///
/// An action is a value that carries what a reducer or an effect needs to know, and nothing else.
/// An enum makes a family of actions that one reducer switches over; a struct makes a single one:
///
/// ```swift
/// enum Counter: Action { case increment, load, loaded(Int) }
/// struct PostOpened: Action { var postID: Int }
/// ```
///
/// Reducers and effects are found by the exact dynamic type of the action, so an action for which
/// nobody asked costs next to nothing.
public protocol Action: Sendable {}

extension Action {
  /// This action as `A`, which is its dynamic type.
  ///
  /// A cast would ask the runtime, and take a third of a dispatch (`store.dispatch`).
  @inlinable
  package func exactly<A: Action>(_ type: A.Type) -> A? {
    // An object may have been stored as its superclass.
    guard Self.self == type else { return self as? A }
    // The type is the same, so this changes nothing but what the compiler knows.
    return unsafe unsafeBitCast(self, to: type)
  }
}
