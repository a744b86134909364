/// What all samples of one subject say.
struct Result {
  let subject: Subject
  /// The median of the subject that this one is compared with, if it is.
  let baseline: Double?
  /// The sample as a part of the baseline's of the same round: the median of all rounds.
  ///
  /// A machine that is slow for some rounds is slow for both, and that leaves no trace here.
  let ratio: Double?
  /// The median in proportion to the ``Yardstick``, if a time has a limit.
  let scaled: Double?
  private let sorted: [Double]

  init(
    subject: Subject, samples: [Double], baselineSamples: [Double]?, yardstickSamples: [Double]?
  ) {
    self.subject = subject
    sorted = samples.sorted()
    baseline = baselineSamples.map { Result.quantile(0.5, of: $0.sorted()) }
    ratio = baselineSamples.map { Result.ratio(of: samples, to: $0) }
    let isScaled = subject.unit == .nanoseconds && subject.valueLimit != nil
    scaled = yardstickSamples.flatMap {
      isScaled ? Result.ratio(of: samples, to: $0) * Yardstick.promised : nil
    }
  }

  /// The median of what the samples are in proportion to those of the same round.
  private static func ratio(of samples: [Double], to others: [Double]) -> Double {
    quantile(0.5, of: zip(samples, others).map { $0 / $1 }.sorted())
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
    let limits = [subject.valueLimit, subject.ratioLimit, subject.ratioFloor]
    return limits.contains { $0 != nil } ? brokenLimits.isEmpty : nil
  }

  /// The promises that this result breaks, each as a sentence.
  var brokenLimits: [String] {
    var broken: [String] = []
    let value = scaled ?? median
    if let limit = subject.valueLimit, value > limit {
      let measure = scaled == nil ? "" : " (scaled)"
      broken.append(
        "\(subject.name) is \(rounded(value)) \(subject.unit.rawValue)\(measure), promised at most "
          + "\(rounded(limit))")
    }
    if let limit = subject.ratioLimit, let ratio, ratio > limit {
      broken.append(
        "\(subject.name) is \(rounded(ratio)) × \(subject.baseline ?? ""), promised at most "
          + "\(rounded(limit)) ×")
    }
    if let floor = subject.ratioFloor, let ratio, ratio < floor {
      broken.append(
        "\(subject.name) is \(rounded(ratio)) × \(subject.baseline ?? ""), promised at least "
          + "\(rounded(floor)) ×")
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
      ("scaled", json(scaled)),
      ("limit", json(subject.valueLimit)),
      ("ratioLimit", json(subject.ratioLimit)),
      ("ratioFloor", json(subject.ratioFloor)),
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
