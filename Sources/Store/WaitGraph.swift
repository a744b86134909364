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
    /// Whether it is enough that one of the blockers ends.
    var isTurn = false
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
    guard !isHeldUp(blocker, by: first) else {
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

  /// Notes that a turn comes when this work ends, or other work of which the same was noted.
  ///
  /// To be taken back by ``forget(_:waitsFor:)``.
  mutating func note(turn: Completion, comesAfter work: Completion) {
    let id = ObjectIdentifier(turn)
    var node = nodes[id] ?? Node(work: turn, parent: nil, isTurn: true)
    node.blockers[ObjectIdentifier(work), default: 0] += 1
    nodes[id] = node
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
  ///
  /// It looks for what can end without that: what waits for nothing, and what waits only for such.
  private func isHeldUp(_ work: Completion, by other: Completion) -> Bool {
    let (start, wanted) = (ObjectIdentifier(work), ObjectIdentifier(other))
    var dependents: [ObjectIdentifier: [ObjectIdentifier]] = [:]
    /// How many of its blockers still have to end before each.
    var missing: [ObjectIdentifier: Int] = [:]
    var ending: [ObjectIdentifier] = []
    var toVisit = [start]
    while let id = toVisit.popLast() {
      guard missing[id] == nil else { continue }
      guard id != wanted, let node = nodes[id], !node.blockers.isEmpty else {
        missing[id] = 0
        if id != wanted { ending.append(id) }
        continue
      }
      missing[id] = node.isTurn ? 1 : node.blockers.count
      for blocker in node.blockers.keys { dependents[blocker, default: []].append(id) }
      toVisit += node.blockers.keys
    }
    while let id = ending.popLast() {
      if id == start { return false }
      for dependent in dependents[id] ?? [] {
        missing[dependent, default: 0] -= 1
        if missing[dependent] == 0 { ending.append(dependent) }
      }
    }
    return true
  }
}
