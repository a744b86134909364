/// How much of what happens a test has to name.
public enum Exhaustivity: Sendable, Hashable {
  /// All of it: every action, every change, the end of every effect.
  case on
  /// What it likes.
  ///
  /// An action that was not received and an effect that still runs are no failure; `receive` skips
  /// to the action that it names; and of a change only those parts are asserted that the closure
  /// sets.
  case off
}
