import Testing

@testable import Store

struct LineageTests {
  /// As when a poll keeps the handle of its latest generation: each is watched while the next is
  /// made.
  @Test func `S16: an ancestor is forgotten also if its handle was given up later`() {
    var current = Lineage(parent: nil)
    weak let first = current
    var handle = current.completion
    for _ in 0..<3 {
      current = Lineage(parent: current)
      handle = current.completion
    }
    #expect(first == nil)
    withExtendedLifetime((current, handle)) {}
  }
}
