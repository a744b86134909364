import Foundation

/// Runs `body` with an empty directory of its own and removes the directory afterwards.
///
/// - Parameter body: What to do with the directory; it gets the absolute path, without a final
///   slash.
/// - Returns: What `body` returns.
/// - Throws: The system's error when the directory cannot be made, or what `body` throws.
public func withTemporaryDirectory<Result>(
  _ body: (String) async throws -> Result
) async throws -> Result {
  let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("millrace-test-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  return try await body(directory.path)
}
