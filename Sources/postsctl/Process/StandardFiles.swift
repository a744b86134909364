#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The three files that a process is started with, some of which may be missing.
enum StandardFiles {
  /// Puts something in the place of a standard file that the parent process closed.
  ///
  /// The next file to be opened, such as the database, would otherwise get its number, and the
  /// result would be written into it. What stands in cannot be written to, so writing still fails.
  static func occupyClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is the one that was just found free.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }

  /// Ends the process as a closed pipe ends one, whatever was done with the signal before.
  ///
  /// A library may have it ignored for the sake of its sockets.
  static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    // Only reached if the signal is blocked; this is the code that a shell would have shown.
    exit(128 + SIGPIPE)
  }
}
