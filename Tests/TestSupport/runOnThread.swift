import Foundation

/// Runs `body` on a new thread of its own and waits for its result.
///
/// - Parameters:
///   - stackSize: How many bytes of stack the thread has.
///   - body: What to run; it may block.
/// - Returns: What `body` returned.
public func runOnThread<Result: Sendable>(
  stackSize: Int = 512 * 1024, _ body: @escaping @Sendable () -> Result
) async -> Result {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: body()) }
    thread.stackSize = stackSize
    thread.start()
  }
}

/// Runs `body` on `count` new threads at once and waits for all of them.
///
/// - Parameters:
///   - count: How many threads.
///   - body: What to run; it is given the number of its thread, from zero.
public func runOnThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  let start = ThreadGate()
  await withTaskGroup { group in
    for index in 0..<count {
      group.addTask {
        await runOnThread {
          start.wait()
          body(index)
        }
      }
    }
    start.open()
  }
}
