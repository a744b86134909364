import Foundation

/// A client, as a program of its own: what one loads or allocates does not count for another.
enum HTTPProgram: String {
  /// libcurl with nothing above it.
  case c = "http-c"
  /// Ours.
  case millrace = "http-millrace"
  /// Foundation's.
  case urlSession = "http-urlsession"

  /// How the figures of this client begin; ours go without a name.
  var prefix: String {
    switch self {
    case .c: "http.c"
    case .millrace: "http"
    case .urlSession: "http.urlsession"
    }
  }

  /// What runs the program under this load.
  func command(_ load: HTTPLoad, requests: Int) throws -> [String] {
    let url = try HTTPServer.shared.get().url(bodySize: load.bodySize)
    let program = [ExecutableFile.sibling(rawValue), url, "\(load.bodySize)"]
    return load.streams ? program : program + ["\(requests)", "\(load.concurrency)"]
  }

  /// Runs the program to its end.
  func run(_ load: HTTPLoad, requests: Int) throws -> HTTPReport {
    let command = try command(load, requests: requests)
    guard FileManager.default.isExecutableFile(atPath: command[0]) else {
      throw RunFailure(
        description: "there is no \(command[0]). `make bench` builds it; by hand: "
          + "swift build -c release --package-path Benchmarks")
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = Self.environment
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0, let report = HTTPReport(line: text) else {
      throw RunFailure(
        description: "\(command.joined(separator: " ")) ended with "
          + "\(process.terminationStatus) and said '\(text)'")
    }
    return report
  }

  /// No request is to go through a proxy.
  static let environment = ProcessInfo.processInfo.environment
    .filter { !$0.key.lowercased().hasSuffix("_proxy") }

  private struct RunFailure: Error, CustomStringConvertible {
    let description: String
  }
}
