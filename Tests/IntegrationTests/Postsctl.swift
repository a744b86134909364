import Foundation
import TestSupport

/// The binary under test, run as a process of its own with nothing of the tests' environment.
struct Postsctl {
  /// The binary that was built together with these tests.
  static let path: String = {
    let bundle =
      Bundle.allBundles.map(\.bundlePath).first { $0.hasSuffix(".xctest") }
      ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent()
      .appendingPathComponent("postsctl").path
  }()

  /// A folder of this test's own, and the home of the process.
  let home: String
  /// What the process finds in its environment besides.
  var variables: [String: String] = [:]

  /// Where the process keeps its posts without configuration.
  var database: String { home + "/.local/share/postsctl/posts.db" }

  var environment: [String: String] {
    ["HOME": home, "PATH": "/usr/bin:/bin"].merging(variables) { $1 }
  }

  /// Runs the binary.
  func callAsFunction(_ arguments: String...) async throws -> ProcessResult {
    try await run(arguments)
  }

  /// Runs the binary with arguments that are in a list already.
  func run(_ arguments: [String]) async throws -> ProcessResult {
    try await runProcess(Postsctl.path, arguments, environment: environment)
  }

  /// Runs a line of bash in which `postsctl` is the binary; the arguments are `$1` and so on.
  func shell(_ line: String, _ arguments: String...) async throws -> ProcessResult {
    try await runProcess(
      "/bin/bash",
      ["-c", "postsctl() { '\(Postsctl.path)' \"$@\"; }; \(line)", "bash"] + arguments,
      environment: environment)
  }

  /// Creates a post in the database and returns the posts that are now in it, as JSON.
  func prepareDatabase(title: String = "Kept", body: String = "Body") async throws -> String {
    _ = try await self("create-post", "--title", title, "--body", body)
    return try await posts()
  }

  /// The posts of the database, as JSON.
  func posts() async throws -> String {
    let result = try await self("fetch-posts", "--output", "json")
    guard result.ending == .exit(0) else { throw Unreadable(message: result.errorOutput) }
    return result.output
  }

  /// Why the posts of the database could not be read.
  struct Unreadable: Error {
    let message: String
  }

  /// Runs `body` with a home of its own.
  static func run<Result>(
    variables: [String: String] = [:], _ body: (Postsctl) async throws -> Result
  ) async throws -> Result {
    try await withTemporaryDirectory { home in
      try await body(Postsctl(home: home, variables: variables))
    }
  }
}
