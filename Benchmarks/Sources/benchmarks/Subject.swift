/// One quantity that is measured again and again.
struct Subject: Sendable {
  /// What the line in the output is called.
  let name: String
  /// What the samples are in.
  let unit: Unit
  /// The subject of the same group that this one is divided by, if there is one.
  let baseline: String?
  /// What the median must not exceed, if that was promised; a time is scaled by the ``Yardstick``
  /// before it is judged.
  let valueLimit: Double?
  /// What the ratio to the baseline must not exceed, if that was promised.
  let ratioLimit: Double?
  /// What the ratio to the baseline must reach, if that was promised.
  let ratioFloor: Double?
  /// How many operations one sample spreads its time over.
  let operations: Int
  /// Sets up, works, checks the outcome of the work and returns one sample.
  ///
  /// The check is part of every subject: work whose result somebody looks at cannot be optimised
  /// away, and a number about a program that computes something else is no number.
  let sample: @Sendable (_ operations: Int) async throws -> Double

  init(
    _ name: String, in unit: Unit = .nanoseconds, against baseline: String? = nil,
    atMost valueLimit: Double? = nil, ratioAtMost ratioLimit: Double? = nil,
    ratioAtLeast ratioFloor: Double? = nil,
    operations: Int, sample: @escaping @Sendable (_ operations: Int) async throws -> Double
  ) {
    self.name = name
    self.unit = unit
    self.baseline = baseline
    self.valueLimit = valueLimit
    self.ratioLimit = ratioLimit
    self.ratioFloor = ratioFloor
    self.operations = operations
    self.sample = sample
  }

  /// What a sample counts.
  enum Unit: String {
    case nanoseconds = "ns"
    case perSecond = "1/s"
    case bytes = "B"
    case instructions
    case allocations
  }
}
