import TestSupport

/// A part of a state that notices when it is changed while somebody else holds a copy of it.
struct CopyNoticing: Sendable {
  private var token = DeinitProbe {}
  private(set) var changes = 0
  private(set) var copies = 0

  init() {}

  mutating func change() {
    changes += 1
    if !isKnownUniquelyReferenced(&token) { copies += 1 }
  }
}
