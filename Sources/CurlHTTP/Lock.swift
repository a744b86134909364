import Synchronization

/// A mutex whose order the thread sanitizer can see.
///
/// On Linux the sanitizer cannot look into `Mutex` and takes what it protects for a race. The
/// atomic adds no protection; it shows the order that the mutex has made, at a cost below noise.
struct Lock<Value>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let order = Atomic<Bool>(false)

  init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Runs `body` while no other thread is in here.
  ///
  /// The body must not come back here itself.
  func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = order.load(ordering: .acquiring)
      defer { order.store(false, ordering: .releasing) }
      return try body(&value)
    }
  }
}
