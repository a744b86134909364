import FoundationEssentials

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The process: the real environment and files around a ``Tool``.
@main
enum Postsctl {
  static func main() async {
    let context = CommandContext(
      environment: ProcessInfo.processInfo.environment,
      standardOutput: FileDescriptorOutput.standardOutput,
      standardError: FileDescriptorOutput.standardError,
      open: OpenService.open)
    switch await Tool(context: context).run(Array(CommandLine.arguments.dropFirst())) {
    case .exit(let code): exit(code.rawValue)
    case .brokenPipe: endByBrokenPipe()
    }
  }

  /// Ends the process as a closed pipe ends one, whatever was done with the signal before.
  ///
  /// The HTTP client has it ignored for the sake of its sockets, and so may the parent process.
  private static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    // Only reached if the signal is blocked; this is the code that a shell would have shown.
    exit(128 + SIGPIPE)
  }
}
