/// What a finished process left behind.
public struct ProcessResult: Equatable, Sendable {
  /// How a process ended.
  public enum Ending: Equatable, Sendable {
    /// It returned this exit code.
    case exit(Int32)
    /// This signal ended it.
    case signal(Int32)
    /// At the time limit, or when the task was cancelled, it was killed with all it had started.
    case timedOut
  }

  /// What it wrote to its standard output.
  public var standardOutput: [UInt8]
  /// What it wrote to its standard error.
  public var standardError: [UInt8]
  /// How it ended.
  public var ending: Ending

  /// Creates a result.
  public init(standardOutput: [UInt8], standardError: [UInt8], ending: Ending) {
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.ending = ending
  }

  /// The standard output as text; bytes that are not UTF-8 become U+FFFD.
  public var output: String { String(decoding: standardOutput, as: UTF8.self) }

  /// The standard error as text; bytes that are not UTF-8 become U+FFFD.
  public var errorOutput: String { String(decoding: standardError, as: UTF8.self) }

  /// The exit code, or nil when a signal or the time limit ended the process.
  public var exitCode: Int32? { if case .exit(let code) = ending { code } else { nil } }
}
