/// Which task is running, to tell whether two pieces of code run in the same one.
package enum TaskIdentity: Sendable {
  /// The task that asks; nil where none is running.
  ///
  /// A number is good while its task has not ended.
  package static var current: Int? {
    // The reference to the task does not leave the closure.
    unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue }
  }
}
