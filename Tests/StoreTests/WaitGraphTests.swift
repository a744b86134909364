import Testing

@testable import Store

/// Who waits for whom, without any waiting.
@Suite final class WaitGraphTests {
  private let works = (0..<6).map { _ in Completion() }

  private var graph = WaitGraph()

  private func note(_ line: [Completion], waitsFor blocker: Completion) -> Bool {
    graph.note(line, waitsFor: blocker)
  }

  private func forget(_ work: Completion, waitsFor blocker: Completion) {
    graph.forget(work, waitsFor: blocker)
  }

  private var isEmpty: Bool { graph.isEmpty }

  /// The work of this index and all it came from.
  private func line(from index: Int) -> [Completion] { works[...index].reversed() }

  @Test func `S16: work that waits for what it came from waits for itself`() {
    for ancestor in 0...2 {
      #expect(!note(line(from: 2), waitsFor: works[ancestor]))
      #expect(isEmpty)
    }
  }

  @Test func `S16: two works that wait for each other are found, at whatever distance`() {
    #expect(note([works[0]], waitsFor: works[1]))
    #expect(note([works[1]], waitsFor: works[2]))
    #expect(!note([works[2]], waitsFor: works[0]))
    forget(works[0], waitsFor: works[1])
    #expect(note([works[2]], waitsFor: works[0]))
  }

  @Test func `S16: what waits for an ancestor is held up by what its descendants wait for`() {
    // Given 0 → 1 → 2, of which 2 waits for 3
    #expect(note(line(from: 2), waitsFor: works[3]))
    // Then 3 cannot wait for any of them, and 4 can
    for ancestor in 0...2 { #expect(!note([works[3]], waitsFor: works[ancestor])) }
    #expect(note([works[4]], waitsFor: works[0]))
    #expect(!note([works[3]], waitsFor: works[4]))
  }

  @Test func `S16: a wait that ends leaves those of its ancestors and descendants noted`() {
    // Given 0 → 1 → 2, of which 0 waits for 1, and 2 for 3
    #expect(note(line(from: 0), waitsFor: works[1]))
    #expect(note(line(from: 2), waitsFor: works[3]))
    // When 0 waits no longer
    forget(works[0], waitsFor: works[1])
    // Then 2 still does, and so 0 is still held up by 3
    #expect(!note([works[3]], waitsFor: works[0]))
    forget(works[2], waitsFor: works[3])
    #expect(note([works[3]], waitsFor: works[0]))
    forget(works[3], waitsFor: works[0])
    #expect(isEmpty)
  }

  @Test func `S16: two waits for the same work are two notes`() {
    for _ in 1...2 { #expect(note(line(from: 1), waitsFor: works[2])) }
    forget(works[1], waitsFor: works[2])
    #expect(!note([works[2]], waitsFor: works[0]))
    forget(works[1], waitsFor: works[2])
    #expect(isEmpty)
  }

  @Test func `E15: a turn comes when one of those before it ends`() {
    // Given a turn, 5, that comes after 0 or 1, and 2, which waits for it
    graph.note(turn: works[5], comesAfter: works[0])
    graph.note(turn: works[5], comesAfter: works[1])
    #expect(note([works[2]], waitsFor: works[5]))
    // Then either of the two may wait for that, and not both
    #expect(note([works[0]], waitsFor: works[2]))
    #expect(!note([works[1]], waitsFor: works[2]))
    forget(works[0], waitsFor: works[2])
    #expect(note([works[1]], waitsFor: works[2]))
    // And what only one holds up, that one may not wait for.
    forget(works[5], waitsFor: works[0])
    forget(works[1], waitsFor: works[2])
    #expect(!note([works[1]], waitsFor: works[2]))
    forget(works[2], waitsFor: works[5])
    forget(works[5], waitsFor: works[1])
    #expect(isEmpty)
  }

  @Test func `E15: a turn that nobody is before holds nobody up`() {
    #expect(note([works[2]], waitsFor: works[5]))
    #expect(note([works[1]], waitsFor: works[2]))
    forget(works[2], waitsFor: works[5])
    forget(works[1], waitsFor: works[2])
    #expect(isEmpty)
  }
}
