public import Synchronization

/// A thread that does something on behalf of a store; no thread, most of the time.
///
/// A thread can only find its own identity here if it put it there, so the order of memory does not
/// matter.
@usableFromInline
struct ThreadMark: ~Copyable, Sendable {
  @usableFromInline let thread = Atomic<UInt>(0)

  @inlinable
  init() {}

  @inlinable
  func set() { thread.store(ThreadIdentity.current.rawValue, ordering: .relaxed) }

  @inlinable
  func clear() { thread.store(0, ordering: .relaxed) }

  /// Whether the calling thread is the one.
  @inlinable var isCurrent: Bool {
    let marked = thread.load(ordering: .relaxed)
    return marked != 0 && marked == ThreadIdentity.current.rawValue
  }
}
