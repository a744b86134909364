import Foundation

/// Where programs are.
enum ExecutableFile {
  /// The path of a program in the folders of PATH or in others, or nil.
  static func find(_ name: String, also folders: [String] = []) -> String? {
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return (path.map(String.init) + folders)
      .map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The path of a program of this package, which is built into the folder of this one.
  static func sibling(_ name: String) -> String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name).path
  }
}
