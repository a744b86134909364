/// Which work cannot end before which other work does, because an effect waits for it: a pure
/// value.
///
/// An effect that waits holds up the dispatch it works for, and through it all that one came from.
/// Of that line only as much is noted as was not known before, so a wait costs the same however
/// many ancestors wait already.
struct WaitGraph {
  private struct Node {
    let work: Completion
    /// What `work` came from; it cannot end before `work` does.
    let parent: Completion?
    /// What has to end first, and how many notes say so.
    var blockers: [ObjectIdentifier: Int] = [:]
  }

  private var nodes: [ObjectIdentifier: Node] = [:]

  /// Notes that the first work of `line`, each of which came from the next, waits for `blocker`;
  /// answers false, and leaves no note, if that waits for the first work in turn.
  mutating func note(_ line: some Sequence<Completion>, waitsFor blocker: Completion) -> Bool {
    var line = line.makeIterator()
    guard let first = line.next() else { return true }
    add(first, line: &line, waitsFor: blocker)
    // Only now does it show if `blocker` is one that the first work came from.
    guard !reaches(from: blocker, to: first) else {
      forget(first, waitsFor: blocker)
      return false
    }
    return true
  }

  private mutating func add(
    _ work: Completion, line: inout some IteratorProtocol<Completion>, waitsFor blocker: Completion
  ) {
    var (work, blocker) = (work, blocker)
    while nodes[ObjectIdentifier(work)] == nil {
      let parent = line.next()
      nodes[ObjectIdentifier(work)] = Node(
        work: work, parent: parent, blockers: [ObjectIdentifier(blocker): 1])
      guard let parent else { return }
      (work, blocker) = (parent, work)
    }
    nodes[ObjectIdentifier(work)]?.blockers[ObjectIdentifier(blocker), default: 0] += 1
  }

  /// Takes back what ``note(_:waitsFor:)`` noted for this work.
  mutating func forget(_ work: Completion, waitsFor blocker: Completion) {
    var (work, blocker) = (work, blocker)
    while var node = nodes[ObjectIdentifier(work)] {
      let id = ObjectIdentifier(blocker)
      node.blockers[id] = node.blockers[id].flatMap { $0 > 1 ? $0 - 1 : nil }
      guard node.blockers.isEmpty else {
        nodes[ObjectIdentifier(work)] = node
        return
      }
      nodes[ObjectIdentifier(work)] = nil
      guard let parent = node.parent else { return }
      (work, blocker) = (parent, work)
    }
  }

  /// Whether nothing waits.
  var isEmpty: Bool { nodes.isEmpty }

  /// Whether `work` cannot end before `other` does.
  private func reaches(from work: Completion, to other: Completion) -> Bool {
    let wanted = ObjectIdentifier(other)
    var seen: Set<ObjectIdentifier> = []
    var toVisit = [ObjectIdentifier(work)]
    while let id = toVisit.popLast() {
      if id == wanted { return true }
      guard seen.insert(id).inserted, let node = nodes[id] else { continue }
      toVisit += node.blockers.keys
    }
    return false
  }
}
