#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// A thread of the system, for what has to wait without holding up the pool of the tasks.
enum SystemThread {
  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that runs `body` and ends with it; nobody can wait for that.
  ///
  /// - Returns: False if the system has no thread left; then `body` is released and never runs.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    // The closure travels as a retained box, which the new thread takes over exactly once.
    let work = unsafe Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context as UnsafeMutableRawPointer? else { return nil }
        // A thread that nobody waits for gives its memory back by itself.
        #if canImport(Darwin) || canImport(Musl)
          unsafe pthread_detach(pthread_self())
        #else
          pthread_detach(pthread_self())
        #endif
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      unsafe work.release()
      return false
    }
    return true
  }
}

/// A signal that one thread waits for, with a limit, and any thread gives.
///
/// A signal given while nobody waits is kept for the next wait; several of them are one.
///
/// `@safe` and `nonisolated(unsafe)` are sound here: the pointers never change, what they point to
/// is made for use by several threads and lives as long as this object, and the flag is only used
/// between lock and unlock of the mutex. An object that is being released has no callers left.
@safe
final class WakeSignal: Sendable {
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private nonisolated(unsafe) let condition: UnsafeMutablePointer<pthread_cond_t>
  private nonisolated(unsafe) var isGiven = false

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      unsafe pthread_cond_init(condition, nil)
    #else
      // The clock of the day may be set back, and a wait with it would take as much longer.
      let attributes = UnsafeMutablePointer<pthread_condattr_t>.allocate(capacity: 1)
      unsafe pthread_condattr_init(attributes)
      unsafe pthread_condattr_setclock(attributes, CLOCK_MONOTONIC)
      unsafe pthread_cond_init(condition, attributes)
      unsafe pthread_condattr_destroy(attributes)
      unsafe attributes.deallocate()
    #endif
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Ends the wait of the thread that waits, or the next one.
  func give() {
    unsafe pthread_mutex_lock(mutex)
    unsafe isGiven = true
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Blocks the thread until a signal is given, at most for `limit`, and takes the signal.
  ///
  /// It may return a little late, and up to a nanosecond early.
  ///
  /// - Parameter limit: the longest wait; less than nothing is nothing, and more than a day a day.
  func wait(atMost limit: Duration) {
    let (seconds, attoseconds) = min(max(limit, .zero), .seconds(86_400)).components
    let nanoseconds = attoseconds / 1_000_000_000
    unsafe pthread_mutex_lock(mutex)
    #if canImport(Darwin)
      var time = timespec(tv_sec: .init(seconds), tv_nsec: .init(nanoseconds))
      while unsafe !isGiven {
        // A wait that goes on after a false alarm begins anew: longer by that, but it ends.
        guard unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time) == 0 else { break }
      }
    #else
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      time.tv_sec += .init(seconds)
      time.tv_nsec += .init(nanoseconds)
      if time.tv_nsec >= 1_000_000_000 {
        time.tv_sec += 1
        time.tv_nsec -= 1_000_000_000
      }
      while unsafe !isGiven {
        guard unsafe pthread_cond_timedwait(condition, mutex, &time) == 0 else { break }
      }
    #endif
    unsafe isGiven = false
    unsafe pthread_mutex_unlock(mutex)
  }
}
