/// Where the files of this package are, whatever folder it was cloned into.
public enum Repository: Sendable {
  /// The absolute path of the folder that holds Package.swift, without a final slash.
  public static let root: String = {
    // #filePath is ROOT/Tests/TestSupport/Repository.swift.
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/")
  }()

  /// The absolute path of a file of the package.
  ///
  /// - Parameter relativePath: The path below the root, such as `Tests/Servers/fault_server.py`.
  /// - Returns: The absolute path. Nothing is checked.
  public static func path(_ relativePath: String) -> String { root + "/" + relativePath }
}
