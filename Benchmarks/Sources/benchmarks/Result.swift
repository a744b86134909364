/// What all samples of one subject say.
struct Result {
  let subject: Subject
  /// The median of the subject that this one is compared with, if it is.
  let baseline: Double?
  private let sorted: [Double]

  init(subject: Subject, samples: [Double], baseline: Double?) {
    self.subject = subject
    self.baseline = baseline
    sorted = samples.sorted()
  }

  /// The middle sample, which a few disturbed ones cannot move.
  var median: Double {
    quantile(0.5)
  }

  /// The median as a part of the baseline's.
  var ratio: Double? {
    baseline.map { median / $0 }
  }

  /// How far the middle half of the samples reaches, as a part of the median.
  ///
  /// Above some tenths the machine was busy, and the number is to be measured again.
  var spread: Double {
    (quantile(0.75) - quantile(0.25)) / median
  }

  /// The promises that this result breaks, each as a sentence.
  var brokenLimits: [String] {
    var broken: [String] = []
    if let limit = subject.valueLimit, median > limit {
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
      ("spread", json(spread)),
    ]
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  /// Returns the sample below which `part` of all lie, between two neighbours if need be.
  private func quantile(_ part: Double) -> Double {
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
