/// Subjects that are compared, and therefore measured in turns.
struct Group: Sendable {
  let subjects: [Subject]
  /// How many rounds are enough, where that is fewer than usual.
  let maximumRounds: Int
  /// Whether each sample is taken in a process of its own, so that there is nothing to warm up.
  let isApart: Bool

  /// Whether it needs a server to talk to.
  let needsServer: Bool

  /// Whether its subjects count instructions or allocations, which only valgrind can do.
  var needsValgrind: Bool {
    subjects.contains { $0.unit == .instructions || $0.unit == .allocations }
  }

  /// Whether a time has a limit of its own, and not only in proportion to another.
  var needsYardstick: Bool {
    subjects.contains { $0.unit == .nanoseconds && $0.valueLimit != nil }
  }

  /// Why it cannot be measured here, and how to change that; empty if it can.
  var obstacles: [String] {
    [needsValgrind ? Valgrind.missing : nil, needsServer ? HTTPServer.missing : nil]
      .compactMap(\.self)
  }

  init(maximumRounds: Int = .max, isApart: Bool = false, _ subjects: Subject...) {
    self.init(maximumRounds: maximumRounds, isApart: isApart, subjects: subjects)
  }

  init(
    maximumRounds: Int = .max, isApart: Bool = false, needsServer: Bool = false,
    subjects: [Subject]
  ) {
    self.subjects = subjects
    self.maximumRounds = maximumRounds
    self.isApart = isApart
    self.needsServer = needsServer
  }
}
