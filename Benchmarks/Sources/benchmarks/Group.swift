/// Subjects that are compared, and therefore measured in turns.
struct Group: Sendable {
  let subjects: [Subject]
  /// How many rounds are enough, where that is fewer than usual.
  let maximumRounds: Int

  init(maximumRounds: Int = .max, _ subjects: Subject...) {
    self.subjects = subjects
    self.maximumRounds = maximumRounds
  }
}
