import TestSupport
import Testing

/// Programs of one thread: what happens is determined, and is what the model says.
@Suite(.timeLimit(.minutes(10)))
struct SequentialModelTests {
  @Test func `S2, S3, S5, S6, S7, S9, S10: a thread meets the history of the reference model`()
    async
  {
    for (number, seed) in ModelSettings.current.seeds.enumerated() {
      let program = Program.sequential(seed: seed)
      guard let difference = Self.difference(program) else { continue }
      announce(seed: seed, problems: [difference])
      let shortest = await Shrinker.shrink(program) { Self.difference($0) != nil }
      report(
        shortest, seed: seed, number: number + 1, problems: [Self.difference(shortest) ?? "none"])
      return
    }
  }

  /// Says where the store departs from the model, if it does.
  static func difference(_ program: Program) -> String? {
    let expected = ReferenceModel(program).history
    let outcome = StoreSubject.runSequentially(program)
    let actual = outcome.history
    guard expected == actual else {
      let agreed = zip(expected, actual).prefix { $0 == $1 }.count
      let past = expected.prefix(agreed).suffix(6).map { "  \($0)" }.joined(separator: "\n")
      return """
        after
        \(past)
        the model has \(agreed < expected.count ? "\(expected[agreed])" : "nothing more"),
        the store has \(agreed < actual.count ? "\(actual[agreed])" : "nothing more")
        """
    }
    return outcome.isReleased ? nil : "the store did not release all that it held"
  }
}

/// Says at once what fails, since making the program short can take minutes.
func announce(seed: UInt64, problems: [String]) {
  print("The program of seed \(seed) fails and is made shorter: \(problems)")
}

/// Fails the test with a program that can be read and replayed.
func report(_ program: Program, seed: UInt64, number: Int, problems: [String]) {
  Issue.record(
    """
    The program of seed \(seed), the \(number)th, fails: \(problems.joined(separator: "\n"))
    Made as short as it can be it is
    \(program)
    Replay it with: MILLRACE_MODEL_SEED=\(seed) make test ARGS='--filter ModelTests'
    """)
}
