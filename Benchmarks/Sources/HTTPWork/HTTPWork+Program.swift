#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension HTTPWork {
  /// Does the work that the command line says, on the threads of the concurrency pool, and ends the
  /// program: with 0, or after a line about what went wrong with 1.
  ///
  /// The first thread only waits. An asynchronous `main` would end it when it suspends, which
  /// valgrind does not survive; and on the main actor every hop would cost more than what is
  /// measured.
  public static func run(_ body: @escaping @Sendable (HTTPWork) async throws -> Void) -> Never {
    guard let work = HTTPWork(arguments: CommandLine.arguments) else {
      print("usage: \(CommandLine.arguments[0]) URL BODY-SIZE [REQUESTS CONCURRENCY]")
      exit(64)
    }
    Task.detached {
      do {
        try await body(work)
        exit(0)
      } catch {
        print(error)
        exit(1)
      }
    }
    while true { pause() }
  }
}
