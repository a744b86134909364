public import Synchronization

/// A mutex whose critical sections the thread sanitizer can see.
///
/// On Linux `Mutex` is built into the standard library, which is not instrumented, so the sanitizer
/// knows nothing of the order that it makes. The atomic flag says it again in terms that it does
/// know: each critical section reads what the one before it wrote. It has no other purpose.
@usableFromInline
package struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let order = Atomic<Bool>(false)

  @inlinable
  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Runs `body` while no other body of this lock runs.
  @inlinable
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
