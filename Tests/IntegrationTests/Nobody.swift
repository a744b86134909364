import Foundation
import TestSupport

/// Runs the binary as someone whom file permissions keep out, also where the tests run as root.
enum Nobody {
  /// Runs the binary.
  static func run(
    _ arguments: [String], environment: [String: String]
  ) async throws -> ProcessResult {
    guard getuid() == 0 else {
      return try await runProcess(Postsctl.path, arguments, environment: environment)
    }
    return try await runProcess(
      "/usr/bin/setpriv",
      ["--reuid=65534", "--regid=65534", "--clear-groups", Postsctl.path] + arguments,
      environment: environment)
  }

  /// Whether the binary can be run that way here.
  static var canRunPostsctl: Bool {
    get async throws {
      guard getuid() == 0 else { return true }
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") else { return false }
      return try await run(["--version"], environment: ["HOME": "/"]).ending == .exit(0)
    }
  }
}
