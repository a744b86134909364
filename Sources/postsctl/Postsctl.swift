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
    StandardFiles.occupyClosed()
    let context = CommandContext(
      environment: ProcessInfo.processInfo.environment,
      standardOutput: FileDescriptorOutput.standardOutput,
      standardError: FileDescriptorOutput.standardError,
      open: OpenService.open)
    switch await Tool(context: context).run(Array(CommandLine.arguments.dropFirst())) {
    case .exit(let code): exit(code.rawValue)
    case .brokenPipe: StandardFiles.endByBrokenPipe()
    }
  }
}
