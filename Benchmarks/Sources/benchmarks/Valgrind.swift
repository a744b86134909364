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
    try instructions(operations, of: work.command)
  }

  /// The allocations that one operation makes.
  static func allocations(_ work: CountedWork, _ operations: Int) throws -> Double {
    try allocations(operations, of: work.command)
  }

  /// The same of another program, by the command that has it do so many operations.
  static func instructions(
    _ operations: Int, of command: (_ operations: Int) throws -> [String]
  ) throws -> Double {
    try difference(
      operations, tool: ["--tool=callgrind", "--callgrind-out-file=/dev/null"],
      after: "Collected : ", command: command)
  }

  /// The same of another program, by the command that has it do so many operations.
  static func allocations(
    _ operations: Int, of command: (_ operations: Int) throws -> [String]
  ) throws -> Double {
    try difference(
      operations, tool: ["--tool=memcheck", "--leak-check=no", "--undef-value-errors=no"],
      after: "total heap usage: ", command: command)
  }

  private static func difference(
    _ operations: Int, tool: [String], after label: String,
    command: (_ operations: Int) throws -> [String]
  ) throws -> Double {
    let few = try count(command(operations), tool: tool, after: label)
    let many = try count(command(3 * operations), tool: tool, after: label)
    return (many - few) / Double(2 * operations)
  }

  /// Runs a program under valgrind and reads the number behind `label` in what that reports.
  private static func count(
    _ command: [String], tool: [String], after label: String
  ) throws -> Double {
    let process = Process()
    let report = Pipe()
    process.executableURL = executable.map { URL(fileURLWithPath: $0) }
    process.arguments = tool + [try stripped(command[0])] + command.dropFirst()
    // Hashes are not seeded at random, or dictionaries would collide more in one run than in
    // another.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_DETERMINISTIC_HASHING": "1"]) { _, new in new }
    process.standardError = report
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let data = report.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0, let range = text.range(of: label),
      let number = Double(
        text[range.upperBound...].prefix { $0.isNumber || $0 == "," }.filter(\.isNumber))
    else {
      throw CountFailure(
        description: "valgrind did not count \(command.joined(separator: " ")):\n\(text)")
    }
    return number
  }

  private struct CountFailure: Error, CustomStringConvertible {
    let description: String
  }

  private static let executable: String? = ExecutableFile.find("valgrind")

  /// A copy of a program without debug information, which valgrind cannot read of Swift.
  private static func stripped(_ program: String) throws -> String {
    let copy = program + ".stripped"
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: ExecutableFile.find("strip") ?? "/usr/bin/strip")
    process.arguments = ["-o", copy, program]
    try process.run()
    process.waitUntilExit()
    return copy
  }
}
