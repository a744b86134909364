import Foundation

/// Runs the benchmarks and prints what they measured, a JSON object a line.
///
/// Usage: `benchmarks [SUITE] [--smoke | --check]`. Without a suite all run.
///
/// With `--smoke` every benchmark does a hundredth of its work once: its numbers mean nothing, but
/// that it runs does. With `--check` the exit code is 1 if a ratio or a count is worse than
/// promised. `--count NAME OPERATIONS` does some work once, for ``Valgrind``, and
/// `--growth NAME OPERATIONS` tells of the memory it leaves, for ``Growth``: both run this program.
@main
enum Benchmarks {
  private static let suites = [storeSuite, effectsSuite, testingSuite, httpSuite]
  /// How often a group is measured before a broken promise counts: other programs disturb.
  private static let attempts = 3

  static func main() async {
    var runner = Runner.thorough
    var checks = false
    var chosen = suites
    if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "--count" {
      exit(await countedWork(CommandLine.arguments[2], CommandLine.arguments[3]))
    }
    if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "--growth" {
      exit(await growth(CommandLine.arguments[2], CommandLine.arguments[3]))
    }
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

    for reason in Set(chosen.flatMap(\.groups).flatMap(\.obstacles)) {
      complain(reason)
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
    for group in groups where group.obstacles.isEmpty {
      var results = try await runner.measure(group)
      if checks {
        var attempt = 1
        while attempt < attempts, !group.needsValgrind,
          results.contains(where: { !$0.brokenLimits.isEmpty })
        {
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

  /// Runs on the main actor: callgrind fails where tasks run on other threads.
  private static func countedWork(_ name: String, _ operations: String) async -> Int32 {
    guard let work = CountedWork(rawValue: name), let operations = Int(operations) else {
      complain("there is no work '\(name)' to be done '\(operations)' times.")
      return 64
    }
    do {
      _ = try await work.sample(operations)
      return 0
    } catch {
      complain("\(error)")
      return 1
    }
  }

  /// Runs away from the main actor, as ``run(_:with:checks:)`` does.
  @concurrent
  private static func growth(_ name: String, _ operations: String) async -> Int32 {
    guard let work = WaitingWork(rawValue: name), let operations = Int(operations) else {
      complain("there is no work '\(name)' to be done '\(operations)' times.")
      return 64
    }
    do {
      print(try await work.growth(operations))
      return 0
    } catch {
      complain("\(error)")
      return 1
    }
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data("benchmarks: \(message)\n".utf8))
  }
}
