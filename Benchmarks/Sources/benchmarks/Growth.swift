import Foundation

/// Measures by how much the memory of a process grows.
///
/// The program runs itself: in a process that has done other things before, what they freed would
/// hide what is kept now.
enum Growth {
  /// The bytes by which the resident memory has grown after the work was done `operations` times,
  /// all together.
  static func resident(_ work: WaitingWork, _ operations: Int) throws -> Double {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["--growth", work.rawValue, "\(operations)"]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0,
      let bytes = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
    else {
      throw WrongOutcome(actual: "'\(text)'", expected: "the growth of \(work.rawValue)")
    }
    return bytes
  }
}
