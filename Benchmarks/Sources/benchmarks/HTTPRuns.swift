import Synchronization

/// Runs programs so that one run answers for all that is asked of it.
///
/// A run tells a rate, a time and a peak of memory, which are subjects of their own. The first of
/// them to be sampled in a round runs the program, the others take the rest of its report.
final class HTTPRuns: Sendable {
  private struct Key: Hashable {
    let program: HTTPProgram
    let load: HTTPLoad
    let requests: Int
  }

  private struct Run {
    let report: HTTPReport
    var told: Set<HTTPReport.Measure>
  }

  private let runs = Mutex<[Key: Run]>([:])

  /// The measure, of a run of which it was not told before.
  func sample(
    _ measure: HTTPReport.Measure, of program: HTTPProgram, _ load: HTTPLoad, requests: Int,
    run: (HTTPProgram, HTTPLoad, Int) throws -> HTTPReport = { try $0.run($1, requests: $2) }
  ) rethrows -> Double {
    let key = Key(program: program, load: load, requests: requests)
    let known = runs.withLock { runs -> HTTPReport? in
      guard let run = runs[key], !run.told.contains(measure) else { return nil }
      runs[key]?.told.insert(measure)
      return run.report
    }
    if let known { return known.value(of: measure, requests: requests) }
    let report = try run(program, load, requests)
    runs.withLock { $0[key] = Run(report: report, told: [measure]) }
    return report.value(of: measure, requests: requests)
  }
}
