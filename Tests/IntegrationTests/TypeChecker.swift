import Foundation
import TestSupport

/// The compiler's type checker, asked about source text that uses the modules built for the tests.
enum TypeChecker {
  /// The compiler on the PATH, or nil if there is none.
  static let compiler: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/swiftc" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// What the type checker may do for one expression before it gives up.
  ///
  /// It counts the scopes that it opens, one for each choice it tries, and the bytes it allocates:
  /// both are the same in every run, on any machine.
  struct Limit {
    var scopes: Int
    var bytes: Int

    var flags: [String] {
      ["-solver-scope-threshold=\(scopes)", "-solver-memory-threshold=\(bytes)"]
    }
  }

  /// Type-checks the files `texts` as one module.
  static func check(_ texts: [String], within limit: Limit) async throws -> ProcessResult {
    try await withTemporaryDirectory { folder in
      var files: [String] = []
      for (index, text) in texts.enumerated() {
        files.append("\(folder)/File\(index).swift")
        try text.write(toFile: files[index], atomically: true, encoding: .utf8)
      }
      let modules = URL(fileURLWithPath: Postsctl.path).deletingLastPathComponent()
        .appendingPathComponent("Modules").path
      return try await runProcess(
        compiler ?? "swiftc",
        ["-frontend", "-typecheck", "-swift-version", "6", "-module-name", "Composition"]
          + ["-module-cache-path", "\(folder)/cache", "-I", modules] + limit.flags + files,
        timeout: .seconds(120))
    }
  }
}
