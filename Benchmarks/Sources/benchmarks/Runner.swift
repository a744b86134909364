/// Measures groups of subjects and prints a JSON line for each subject.
struct Runner {
  /// How often each subject is sampled; the first round is thrown away.
  let rounds: Int
  /// What the number of operations is divided by.
  let divisor: Int

  /// Enough for medians that hold still on a machine with other things to do.
  static let thorough = Runner(rounds: 15, divisor: 1)
  /// Enough to see that every benchmark still runs and computes the right thing.
  static let smoke = Runner(rounds: 1, divisor: 100)

  /// Measures a group, each subject once a round, so that all of them meet the same disturbances.
  ///
  /// Prints nothing until the group is done.
  func run(_ group: Group) async throws {
    var samples = [[Double]](repeating: [], count: group.subjects.count)
    for round in 0...rounds {
      for (index, subject) in group.subjects.enumerated() {
        let sample: Double
        do {
          sample = try await subject.sample(max(1, subject.operations / divisor))
        } catch let outcome as WrongOutcome {
          throw BenchmarkFailure(name: subject.name, outcome: outcome)
        }
        if round > 0 {
          samples[index].append(sample)
        }
      }
    }

    let results = zip(group.subjects, samples).map { Result(subject: $0, samples: $1) }
    for result in results {
      let baseline = results.first { $0.subject.name == result.subject.baseline }
      precondition(
        baseline != nil || result.subject.baseline == nil,
        "\(result.subject.name) is compared with a subject that is not in its group")
      print(result.line(against: baseline))
    }
  }
}

/// A benchmark that could not be measured.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let name: String
  let outcome: WrongOutcome

  var description: String {
    """
    \(name) computed \(outcome.actual) where it should compute \(outcome.expected), \
    so it was not measured. Either the benchmark is wrong or what it measures is; \
    the test suite tells which.
    """
  }
}
