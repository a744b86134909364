import Foundation

/// Runs the benchmarks and prints what they measured, a JSON object a line.
///
/// Usage: `benchmarks [SUITE] [--smoke | --check]`. Without a suite all run.
///
/// With `--smoke` every benchmark does a hundredth of its work once: its numbers mean nothing, but
/// that it runs does. With `--check` the exit code is 1 if a number is worse than promised.
@main
enum Benchmarks {
  private static let suites = [storeSuite, effectsSuite]
  /// How often a group is measured before a broken promise counts: other programs disturb.
  private static let attempts = 3

  static func main() async {
    var runner = Runner.thorough
    var checks = false
    var chosen = suites
    for argument in CommandLine.arguments.dropFirst() {
      if argument == "--smoke" {
        runner = .smoke
      } else if argument == "--check" {
        checks = true
      } else if let suite = suites.first(where: { $0.name == argument }) {
        chosen = [suite]
      } else {
        let names = suites.map(\.name).joined(separator: ", ")
        complain(
          "there is no suite or option '\(argument)'. Suites: \(names). "
            + "Options: --smoke, --check.")
        exit(64)
      }
    }

    do {
      let broken = try await run(chosen.flatMap(\.groups), with: runner, checks: checks)
      for sentence in broken {
        complain(sentence)
      }
      exit(broken.isEmpty ? 0 : 1)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  /// Measures and prints group by group, and returns the promises broken in the last attempt.
  ///
  /// Runs away from the main actor, where every hop would cost more than what is measured.
  @concurrent
  private static func run(
    _ groups: [Group], with runner: Runner, checks: Bool
  ) async throws -> [String] {
    var broken: [String] = []
    for group in groups {
      var results = try await runner.measure(group)
      if checks {
        var attempt = 1
        while attempt < attempts, results.contains(where: { !$0.brokenLimits.isEmpty }) {
          results = try await runner.measure(group)
          attempt += 1
        }
        broken += results.flatMap(\.brokenLimits)
      }
      for result in results {
        print(result.line)
      }
    }
    return broken
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data("benchmarks: \(message)\n".utf8))
  }
}
