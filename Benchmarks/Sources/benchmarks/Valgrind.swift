import Foundation

/// Counts what an operation takes where a clock would also measure the machine's other work.
///
/// The program runs itself under valgrind, once with some operations and once with more: the
/// difference is what those take, without what comes before and after. Counts repeat exactly, so
/// one is as good as many, and a limit can be as narrow as one likes.
enum Valgrind {
  /// What valgrind could not do here and how to change that; nil if it is there.
  static let missing: String? =
    executable == nil
    ? "instructions and allocations are not counted: there is no valgrind on the PATH. On Debian: "
      + "apt-get install valgrind. Their limits are not judged." : nil

  /// The instructions that one operation takes.
  static func instructions(_ work: CountedWork, _ operations: Int) throws -> Double {
    try difference(
      work, operations, tool: ["--tool=callgrind", "--callgrind-out-file=/dev/null"],
      after: "Collected : ")
  }

  /// The allocations that one operation makes.
  static func allocations(_ work: CountedWork, _ operations: Int) throws -> Double {
    try difference(
      work, operations,
      tool: ["--tool=memcheck", "--leak-check=no", "--undef-value-errors=no"],
      after: "total heap usage: ")
  }

  private static func difference(
    _ work: CountedWork, _ operations: Int, tool: [String], after label: String
  ) throws -> Double {
    let few = try count(work, operations, tool: tool, after: label)
    let many = try count(work, 3 * operations, tool: tool, after: label)
    return (many - few) / Double(2 * operations)
  }

  /// Runs this program under valgrind and reads the number behind `label` in what it reports.
  private static func count(
    _ work: CountedWork, _ operations: Int, tool: [String], after label: String
  ) throws -> Double {
    let process = Process()
    let report = Pipe()
    process.executableURL = executable.map { URL(fileURLWithPath: $0) }
    process.arguments = tool + [try stripped.get(), "--count", work.rawValue, "\(operations)"]
    // Hashes are not seeded at random, or dictionaries would collide more in one run than in
    // another.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_DETERMINISTIC_HASHING": "1"]) { _, new in new }
    process.standardError = report
    try process.run()
    let data = report.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0, let range = text.range(of: label),
      let number = Double(
        text[range.upperBound...].prefix { $0.isNumber || $0 == "," }.filter(\.isNumber))
    else {
      throw CountFailure(description: "valgrind did not count \(work.rawValue):\n\(text)")
    }
    return number
  }

  private struct CountFailure: Error, CustomStringConvertible {
    let description: String
  }

  private static let executable: String? = find("valgrind")

  /// A copy of this program without debug information, which valgrind cannot read of Swift.
  private static let stripped = Swift.Result<String, any Error> {
    let copy = CommandLine.arguments[0] + ".stripped"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: find("strip") ?? "/usr/bin/strip")
    process.arguments = ["-o", copy, CommandLine.arguments[0]]
    try process.run()
    process.waitUntilExit()
    return copy
  }

  private static func find(_ program: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
