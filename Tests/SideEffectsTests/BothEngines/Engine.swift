import Foundation
import StoreTesting
import TestSupport
import Testing

/// What the effects of a scenario run on: what does not depend on time must hold on both.
enum Engine: CaseIterable {
  /// The threads of the global executor, and the real clock. Which order one gets is luck, and the
  /// thread sanitizer sees what they share.
  case real
  /// An executor that draws the next job among those that wait, and time that passes when there is
  /// none: each seed gives another order, and the same one in each run.
  case deterministic

  /// The seeds that a scenario is run with: 50, or as many as `MILLRACE_SEEDS` says.
  private static let seeds: Range<UInt64> = {
    let count = ProcessInfo.processInfo.environment["MILLRACE_SEEDS"].flatMap { UInt64($0) }
    return 0..<(count ?? (isThreadSanitized ? 10 : 50))
  }()

  /// Runs a scenario again and again, each time with a trial of its own.
  ///
  /// - Parameter scenario: a task on the engine, so that it takes turns with the effects.
  func run(_ scenario: @escaping @Sendable (Trial) async -> Void) async {
    switch self {
    case .real:
      for _ in 0..<20 { await scenario(Trial(engine: nil)) }
    case .deterministic:
      for seed in Self.seeds { await Self.run(scenario, seed: seed) }
    }
  }

  private static func run(
    _ scenario: @escaping @Sendable (Trial) async -> Void, seed: UInt64
  ) async {
    let executor = DeterministicExecutor(seed: seed)
    let clock = TestClock(executor: executor)
    let hasEnded = Box(false)
    let task = Task(executorPreference: executor) {
      await scenario(Trial(engine: (seed, executor, clock)))
      hasEnded.value = true
    }
    await clock.run()
    guard !hasEnded.value else { return }
    Issue.record("with seed \(seed) it waits for ever")
    task.cancel()
    executor.letGo()
  }
}
