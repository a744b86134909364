import TestSupport
import Testing

/// Programs of two to eight threads: what happens is not determined, but much must hold all the
/// same.
@Suite(.timeLimit(.minutes(10)))
struct ThreadedModelTests {
  @Test func `S1, S2, S3, S5, S6, S7, S9, S10, S16: threads meet what holds for any schedule`()
    async
  {
    for (number, seed) in ModelSettings.current.seeds.enumerated() {
      let program = Program.threaded(seed: seed)
      let problems = await Self.problems(program, patience: 30)
      guard !problems.isEmpty else { continue }
      announce(seed: seed, problems: problems)
      var last = problems
      // A store that hangs is slow to judge; what is short by then has to do.
      let end = ContinuousClock.now + .seconds(90)
      let shortest = await Shrinker.shrink(program) { candidate in
        guard ContinuousClock.now < end else { return false }
        // Another schedule may hide it, so a candidate has several chances.
        for _ in 0..<40 {
          let problems = await Self.problems(candidate, patience: 1)
          guard problems.isEmpty else {
            last = problems
            return true
          }
        }
        return false
      }
      report(shortest, seed: seed, number: number + 1, problems: last)
      return
    }
  }

  private static func problems(_ program: Program, patience: Double) async -> [String] {
    HistoryCheck(program, await StoreSubject.run(program, patience: patience)).problems
  }
}
