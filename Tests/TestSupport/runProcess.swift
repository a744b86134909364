/// Runs a program to its end and returns what it wrote and how it ended.
///
/// Cancelling the task kills the program. A program that does not read its input is not an error.
///
/// ```swift
/// let result = try await runProcess("/bin/echo", ["hello"])
/// #expect(result.output == "hello\n")
/// ```
///
/// - Parameters:
///   - executable: The absolute path of the program.
///   - arguments: What follows the program's name.
///   - environment: The whole environment of the program, or nil for that of the tests.
///   - stdin: What the program can read before its input ends.
///   - timeout: After how long the program is killed, with all it started.
/// - Returns: What it wrote, and its exit code, signal, or that it ran out of time.
/// - Throws: The system's error when the program cannot be started.
public func runProcess(
  _ executable: String,
  _ arguments: [String] = [],
  environment: [String: String]? = nil,
  stdin: [UInt8] = [],
  timeout: Duration = .seconds(30)
) async throws -> ProcessResult {
  let child = try ChildProcess(
    executable: executable, arguments: arguments, environment: environment)
  child.killAfter(timeout)
  async let sent: Void = child.send(stdin)
  async let output = child.readOutput()
  async let error = child.readError()
  let ending = await child.waitForExit()
  await sent
  return await ProcessResult(standardOutput: output, standardError: error, ending: ending)
}
