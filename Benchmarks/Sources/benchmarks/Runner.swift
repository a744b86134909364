/// Measures groups of subjects.
struct Runner {
  /// How often each subject is sampled, after one round that is thrown away.
  let rounds: Int
  /// What the number of operations is divided by.
  let divisor: Int

  /// Enough for medians that hold still on a machine with other things to do.
  static let thorough = Runner(rounds: 15, divisor: 1)
  /// Enough to see that every benchmark still runs and computes the right thing.
  static let smoke = Runner(rounds: 1, divisor: 100)

  /// Measures a group, each subject once a round, so that all of them meet the same disturbances.
  ///
  /// The results are in the order of the subjects.
  func measure(_ group: Group) async throws -> [Result] {
    let subjects = group.subjects + (group.needsYardstick ? [Yardstick.subject] : [])
    var samples = [[Double]](repeating: [], count: subjects.count)
    // Counts repeat exactly, so there is nothing to warm up and one is enough.
    let last = group.needsValgrind ? 1 : min(rounds, group.maximumRounds)
    let rounds = group.needsValgrind || group.isApart ? 1...last : 0...last
    for round in rounds {
      for (index, subject) in subjects.enumerated() {
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

    let indices = Dictionary(
      uniqueKeysWithValues: group.subjects.enumerated().map { ($1.name, $0) })
    return zip(group.subjects, samples).map { subject, own in
      let baselineSamples = subject.baseline.map { name in
        guard let index = indices[name] else {
          preconditionFailure("\(subject.name) is compared with \(name), not in its group")
        }
        return samples[index]
      }
      return Result(
        subject: subject, samples: own, baselineSamples: baselineSamples,
        yardstickSamples: group.needsYardstick ? samples[group.subjects.count] : nil)
    }
  }
}
