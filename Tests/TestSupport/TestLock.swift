import Synchronization

/// A mutex whose critical sections the thread sanitizer can see.
///
/// `Mutex` is part of the standard library, which is not instrumented on Linux, so the sanitizer
/// would report races between tests and their own recorders. The atomic flag repeats the order that
/// the mutex makes in terms that it knows, and has no other purpose.
public struct TestLock<Value: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let order = Atomic<Bool>(false)

  /// Creates a lock around a value.
  public init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Runs `body` while no other body of this lock runs.
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
