/// Starts a task that has run up to its first suspension when this returns.
///
/// So a test can say "it waits" without a sleep: what the task has not done by now, it waits for.
/// Where the platform cannot start a task at once the task may begin later, and a test that relies
/// on this proves less but does not fail.
///
/// - Parameter operation: What the task does.
/// - Returns: The task.
public func startedTask<Success: Sendable>(
  _ operation: sending @escaping @isolated(any) () async -> Success
) -> Task<Success, Never> {
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
    Task.immediate(operation: operation)
  } else {
    Task(operation: operation)
  }
}
