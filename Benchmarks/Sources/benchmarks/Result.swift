/// What all samples of one subject say.
struct Result {
  let subject: Subject
  private let sorted: [Double]

  init(subject: Subject, samples: [Double]) {
    self.subject = subject
    sorted = samples.sorted()
  }

  /// The middle sample, which a few disturbed ones cannot move.
  var median: Double {
    quantile(0.5)
  }

  /// How far the middle half of the samples reaches, as a part of the median.
  ///
  /// Above some tenths the machine was busy, and the number is to be measured again.
  var spread: Double {
    (quantile(0.75) - quantile(0.25)) / median
  }

  /// Returns the line for this result, with the ratio of both medians if there is a baseline.
  func line(against baseline: Result?) -> String {
    let members = [
      ("name", "\"\(subject.name)\""),
      ("value", json(median)),
      ("unit", "\"\(subject.unit.rawValue)\""),
      ("baseline", json(baseline?.median)),
      ("ratio", json(baseline.map { median / $0.median })),
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

  /// Returns a number as JSON writes it, to a thousandth; JSON has no word for what is not finite.
  private func json(_ number: Double?) -> String {
    guard let number, number.isFinite else { return "null" }
    return "\((number * 1000).rounded() / 1000)"
  }
}
