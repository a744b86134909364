internal import Synchronization

/// A mutex whose critical sections the thread sanitizer can see.
///
/// On Linux `Mutex` is built into the standard library, which is not instrumented, so the sanitizer
/// knows nothing of the order that it makes and reports races that are none. The flag says that
/// order again in terms it does know: each critical section reads what the one before it wrote.
struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let order = Atomic(false)

  init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Runs `body` while no other body of this lock runs.
  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
