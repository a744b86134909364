import Dispatch
import Foundation

/// A running child process with three pipes, each of them read without blocking a task's thread.
///
/// The child leads a process group of its own, so that a kill reaches what it started as well.
final class ChildProcess: Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let error = Pipe()
  private let exited = Gate()
  private let wasKilled = TestLock(false)

  /// Starts a program; `passesErrors` lets it write to the tests' own standard error.
  init(
    executable: String, arguments: [String], environment: [String: String]?,
    passesErrors: Bool = false
  ) throws {
    ChildProcess.surviveClosedPipes
    guard FileManager.default.isExecutableFile(atPath: executable) else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: executable])
    }
    #if os(Linux)
      // Ignored signals are inherited, here SIGPIPE and, under `swift test`, SIGTERM; a program
      // under test must meet them as it would in a terminal.
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["--default-signal", executable] + arguments
    #else
      process.executableURL = URL(fileURLWithPath: executable)
      process.arguments = arguments
    #endif
    if let environment { process.environment = environment }
    process.standardInput = input
    process.standardOutput = output
    if !passesErrors { process.standardError = error }
    process.terminationHandler = { [exited] _ in exited.open() }
    try process.run()
  }

  /// Writes to a child that has gone must be an error here, not the end of the test run.
  private static let surviveClosedPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  /// Writes all bytes and closes the standard input.
  ///
  /// A child that does not read them all is not an error.
  func send(_ bytes: [UInt8]) async {
    await ChildProcess.onThread { [input] in
      try? input.fileHandleForWriting.write(contentsOf: Data(bytes))
      try? input.fileHandleForWriting.close()
    }
  }

  func closeInput() { try? input.fileHandleForWriting.close() }

  func readOutput() async -> [UInt8] { await ChildProcess.read(output) }

  func readError() async -> [UInt8] { await ChildProcess.read(error) }

  /// Reads one line of the standard output, without its line break; nil at the end.
  func readOutputLine() async -> String? {
    await ChildProcess.onThread { [output] in
      var line: [UInt8] = []
      while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first {
        if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
        line.append(byte)
      }
      return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
  }

  /// Kills the child and its process group after a time, unless it has ended by then.
  @discardableResult
  func killAfter(_ limit: Duration) -> TimeLimit {
    let timer = TimeLimit { [weak self] in self?.killIfRunning() }
    timer.start(limit)
    return timer
  }

  /// Kills the child and its process group, unless it has ended.
  func killIfRunning() {
    guard process.isRunning else { return }
    wasKilled.withLock { $0 = true }
    kill(-process.processIdentifier, SIGKILL)
    kill(process.processIdentifier, SIGKILL)
  }

  /// Waits for the end of the child; cancelling the task kills the child first.
  func waitForExit() async -> ProcessResult.Ending {
    if await !exited.wait() {
      killIfRunning()
      await ChildProcess.onThread { [process] in process.waitUntilExit() }
    }
    if wasKilled.withLock({ $0 }) { return .timedOut }
    let status = process.terminationStatus
    return process.terminationReason == .exit ? .exit(status) : .signal(status)
  }

  private static func read(_ pipe: Pipe) async -> [UInt8] {
    await onThread { [UInt8]((try? pipe.fileHandleForReading.readToEnd()) ?? Data()) }
  }

  /// Blocking calls belong on a thread that is not one of the concurrency pool's few.
  private static func onThread<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: work()) }.start()
    }
  }
}
