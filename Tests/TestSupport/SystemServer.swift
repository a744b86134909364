import Foundation

/// Server programs that a system may have, run on loopback for a test.
public enum SystemServer: Sendable {
  /// The absolute path of a program, or nil if it is not installed.
  ///
  /// Servers are where only administrators look for programs, so the PATH may not name it.
  public static func path(of program: String) -> String? {
    ["/usr/local/bin", "/usr/bin", "/usr/local/sbin", "/usr/sbin"].map { $0 + "/" + program }.first
    {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// Runs `body` with a program that is gone afterwards, whatever happens.
  ///
  /// - Parameters:
  ///   - program: Its name.
  ///   - arguments: Its arguments; `{configuration}` in one is the path of its configuration file.
  ///   - configuration: What the file holds, given a directory for whatever the program needs;
  ///     `{port}` in it becomes a free port.
  ///   - body: What to do with the server.
  /// - Returns: What `body` returns.
  /// - Throws: ``PythonServer/StartError``, or what `body` throws.
  public static func run<Result>(
    _ program: String, _ arguments: [String], configuration: (String) throws -> String,
    _ body: (PythonServer) async throws -> Result
  ) async throws -> Result {
    try await withTemporaryDirectory { directory in
      let template = directory + "/configuration"
      try configuration(directory).write(toFile: template, atomically: true, encoding: .utf8)
      let command = [template, path(of: program) ?? program] + arguments
      return try await PythonServer.run("program_server", command, body)
    }
  }
}
