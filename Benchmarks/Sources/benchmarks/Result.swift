/// What all samples of one subject say.
struct Result {
  let subject: Subject
  /// The median of the subject that this one is compared with, if it is.
  let baseline: Double?
  /// The sample as a part of the baseline's of the same round: the median of all rounds.
  ///
  /// A machine that is slow for some rounds is slow for both, and that leaves no trace here.
  let ratio: Double?
  private let sorted: [Double]

  init(subject: Subject, samples: [Double], baselineSamples: [Double]?) {
    self.subject = subject
    sorted = samples.sorted()
    baseline = baselineSamples.map { Result.quantile(0.5, of: $0.sorted()) }
    ratio = baselineSamples.map { baselineSamples in
      Result.quantile(0.5, of: zip(samples, baselineSamples).map { $0 / $1 }.sorted())
    }
  }

  /// The middle sample, which a few disturbed ones cannot move.
  var median: Double {
    quantile(0.5)
  }

  /// How far the middle half of the samples reaches, as a part of the median.
  ///
  /// Above some tenths the machine was busy, and the number is to be measured again.
  var spread: Double {
    median == 0 ? 0 : (quantile(0.75) - quantile(0.25)) / median
  }

  /// Whether the numbers are within all their limits; nil if they have none.
  private var holds: Bool? {
    guard subject.valueLimit != nil || subject.ratioLimit != nil else { return nil }
    let ratio = ratio ?? 0
    return median <= subject.valueLimit ?? .infinity && ratio <= subject.ratioLimit ?? .infinity
  }

  /// The promises that this result breaks and that any machine can judge, each as a sentence.
  var brokenLimits: [String] {
    var broken: [String] = []
    if subject.unit.isRepeatable, let limit = subject.valueLimit, median > limit {
      broken.append(
        "\(subject.name) is \(rounded(median)) \(subject.unit.rawValue), promised at most "
          + "\(rounded(limit))")
    }
    if let limit = subject.ratioLimit, let ratio, ratio > limit {
      broken.append(
        "\(subject.name) is \(rounded(ratio)) × \(subject.baseline ?? ""), promised at most "
          + "\(rounded(limit)) ×")
    }
    return broken
  }

  /// The result as a JSON object in one line.
  var line: String {
    let members = [
      ("name", "\"\(subject.name)\""),
      ("value", json(median)),
      ("unit", "\"\(subject.unit.rawValue)\""),
      ("baseline", json(baseline)),
      ("ratio", json(ratio)),
      ("limit", json(subject.valueLimit)),
      ("ratioLimit", json(subject.ratioLimit)),
      ("holds", holds.map { "\($0)" } ?? "null"),
      ("spread", json(spread)),
    ]
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  private func quantile(_ part: Double) -> Double { Result.quantile(part, of: sorted) }

  /// Returns the sample below which `part` of all lie, between two neighbours if need be.
  private static func quantile(_ part: Double, of sorted: [Double]) -> Double {
    let position = part * Double(sorted.count - 1)
    let lower = sorted[Int(position)]
    let upper = sorted[Int(position.rounded(.up))]
    return lower + (upper - lower) * (position - position.rounded(.down))
  }

  /// Returns a number as JSON writes it; JSON has no word for one that is missing or not finite.
  private func json(_ number: Double?) -> String {
    guard let number, number.isFinite else { return "null" }
    return "\(rounded(number))"
  }

  private func rounded(_ number: Double) -> Double {
    (number * 1000).rounded() / 1000
  }
}
