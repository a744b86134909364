/// What the machine is worth: limits of times are promised for one on which a dispatch in the
/// ReSwift-shaped store takes as long as `promised`, and are judged in proportion.
///
/// It is measured in each round, beside the times it scales, so what else the machine does slows
/// both down.
enum Yardstick {
  /// The time in nanoseconds.
  ///
  /// A dispatch is promised to take at most 80, and at most a twelfth of the baseline's: here both
  /// say the same.
  static let promised = 960.0

  static let subject = Subject("yardstick", operations: 20_000, sample: baselineDispatch)
}
