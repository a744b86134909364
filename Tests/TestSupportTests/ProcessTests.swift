import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ProcessTests {
  @Test func `both outputs and the exit code come back`() async throws {
    let result = try await shell("echo out; echo error >&2; exit 3")
    #expect(result.output == "out\n")
    #expect(result.errorOutput == "error\n")
    #expect(result.ending == .exit(3))
    #expect(result.exitCode == 3)
  }

  @Test func `more than a pipe holds goes in and comes out`() async throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
    let result = try await runProcess("/bin/cat", stdin: bytes)
    #expect(result.standardOutput == bytes)
  }

  @Test func `a program that ignores its input is not an error`() async throws {
    let bytes = [UInt8](repeating: 0, count: 1_000_000)
    let result = try await runProcess("/bin/sh", ["-c", "exit 0"], stdin: bytes)
    #expect(result.ending == .exit(0))
  }

  @Test func `a signal is told from an exit code`() async throws {
    let result = try await shell("kill -TERM $$")
    #expect(result.ending == .signal(15))
  }

  @Test func `the time limit kills the program and what it started`() async throws {
    // The shell's child holds the output open: were it to survive, reading would not end.
    let result = try await runProcess(
      "/bin/sh", ["-c", "sleep 600; echo late"], timeout: .milliseconds(100))
    #expect(result.ending == .timedOut)
    #expect(result.output == "")
    #expect(result.exitCode == nil)
  }

  @Test func `cancelling the task kills the program`() async throws {
    let running = Task { try await shell("sleep 600") }
    running.cancel()
    #expect(try await running.value.ending == .timedOut)
  }

  @Test func `the environment replaces that of the tests`() async throws {
    let result = try await runProcess("/usr/bin/env", environment: ["ONLY": "this"])
    #expect(result.output == "ONLY=this\n")
  }

  @Test func `a closed pipe ends a child by its signal, as in a terminal`() async throws {
    let result = try await shell("(yes; echo $? >&2) | head -n 1")
    #expect(result.output == "y\n")
    #expect(result.errorOutput == "141\n")
  }

  @Test func `a program that does not exist is an error`() async throws {
    await #expect(throws: (any Error).self) { try await runProcess("/does/not/exist") }
  }

  private func shell(_ script: String) async throws -> ProcessResult {
    try await runProcess("/bin/sh", ["-c", script])
  }
}
