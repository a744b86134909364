#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// Which thread this is, comparable while the thread lives.
@usableFromInline
package struct ThreadIdentity: Equatable, Sendable {
  @usableFromInline package let rawValue: UInt

  @inlinable
  package init(rawValue: UInt) { self.rawValue = rawValue }

  /// The thread that asks.
  @usableFromInline
  package static var current: ThreadIdentity {
    // Some systems have a pointer for it, which is compared here and never followed.
    #if canImport(Darwin) || canImport(Musl)
      unsafe ThreadIdentity(rawValue: UInt(bitPattern: pthread_self()))
    #elseif canImport(Android)
      ThreadIdentity(rawValue: UInt(bitPattern: pthread_self()))
    #else
      ThreadIdentity(rawValue: UInt(pthread_self()))
    #endif
  }
}

/// Writes a line to the standard error stream, for diagnostics and logs that nobody else takes.
///
/// Lines of several threads do not mix: a pipe takes a long line piece by piece.
@usableFromInline
package func writeToStandardError(_ line: String) {
  let text = line + "\n"
  standardError.withLock { _ in
    // The pointer is to a copy that lives as long as the call, and the count is that of the copy.
    _ = unsafe write(2, text, text.utf8.count)
  }
}

private let standardError = Lock(())
