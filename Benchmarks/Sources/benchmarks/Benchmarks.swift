import Foundation

/// Runs the benchmarks and prints what they measured, a JSON object a line.
///
/// Usage: `benchmarks [SUITE] [--smoke]`. Without a suite all run. With `--smoke` every benchmark
/// does a hundredth of its work once: its numbers mean nothing, but that it runs does.
@main
enum Benchmarks {
  private static let suites = [storeSuite, effectsSuite]

  static func main() async {
    var runner = Runner.thorough
    var chosen = suites
    for argument in CommandLine.arguments.dropFirst() {
      if argument == "--smoke" {
        runner = .smoke
      } else if let suite = suites.first(where: { $0.name == argument }) {
        chosen = [suite]
      } else {
        let names = suites.map(\.name).joined(separator: ", ")
        complain("there is no suite or option '\(argument)'. Suites: \(names). Option: --smoke.")
        exit(64)
      }
    }

    do {
      try await run(chosen, with: runner)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  /// Runs away from the main actor, where every hop would cost more than what is measured.
  @concurrent
  private static func run(_ suites: [Suite], with runner: Runner) async throws {
    for suite in suites {
      for group in suite.groups {
        try await runner.run(group)
      }
    }
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data("benchmarks: \(message)\n".utf8))
  }
}
