#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread of the system that runs one function and can be waited for.
///
/// libcurl waits in poll(2), which none of the concurrency pool's few threads may do.
///
/// `unsafe` is sound here because the function travels as a retained box, which the new thread
/// takes over exactly once, and because the thread's identity is taken out of the lock by the one
/// call that joins or detaches it.
final class LoopThread: Sendable {
  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: Lock<pthread_t?>

  /// Starts a thread, or returns nil when the system has none left.
  init?(_ run: @escaping @Sendable () -> Void) {
    let work = unsafe Unmanaged.passRetained(Work(run))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context as UnsafeMutableRawPointer? else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      unsafe work.release()
      return nil
    }
    self.thread = Lock(thread)
  }

  deinit {
    // A thread that nobody waits for gives its memory back by itself.
    if let thread = thread.withLock({ $0 }) { pthread_detach(thread) }
  }

  /// Waits until the thread has ended; at once when it has been joined before.
  ///
  /// It blocks, so call it only after the function has said that it is done.
  func join() {
    thread.withLock { thread in
      guard let joined = thread else { return }
      pthread_join(joined, nil)
      thread = nil
    }
  }
}
