/// Which task is running, to tell whether two pieces of code run in the same one.
///
/// It is good while its task has not ended: then another task may have it.
package struct TaskIdentity: Hashable, Sendable {
  private let address: UInt

  /// Tells the task at an address, which is where its jobs are, too.
  package init(address: UInt) { self.address = address }

  /// The task that asks; nil where none is running.
  package static var current: TaskIdentity? {
    // Only the address of the task leaves the closure, and nothing is read there.
    unsafe withUnsafeCurrentTask { task in
      unsafe task.map { unsafe TaskIdentity(address: unsafeBitCast($0, to: UInt.self)) }
    }
  }
}
