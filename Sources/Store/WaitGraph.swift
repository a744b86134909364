/// Which work cannot end before which other work does, because an effect waits for it: a pure
/// value.
///
/// An effect that waits holds up the dispatch it works for, and through it all that one came from.
/// Of that line only as much is noted as was not known before, so a wait costs the same however
/// many ancestors wait already.
///
/// No work waits for itself for long: of a circle that a note closes, an effect is let go that
/// awaits something in it.
struct WaitGraph {
  private typealias ID = ObjectIdentifier

  private struct Node {
    let work: Completion
    /// What `work` came from; it cannot end before `work` does.
    let parent: Completion?
    /// Whether it is enough that one of the blockers ends.
    var isTurn = false
    /// What has to end first, and how many notes say so.
    var blockers: [ID: Int] = [:]
  }

  /// An effect that awaits something.
  private struct Wait {
    let number: UInt64
    let work: Completion
    let blocker: Completion
    let patience: Patience
  }

  private var nodes: [ID: Node] = [:]
  /// By what lets them go.
  private var waits: [ID: Wait] = [:]
  private var lastNumber: UInt64 = 0

  /// Notes that the first work of `line`, each of which came from the next, awaits `blocker`, until
  /// ``end(_:)``; answers false, and leaves no note, if that waits for the first work in turn.
  mutating func begin(
    _ line: some Sequence<Completion>, waitsFor blocker: Completion, _ patience: Patience
  ) -> Bool {
    guard let work = add(line, waitsFor: blocker) else { return true }
    // Only now does it show if `blocker` is one that the first work came from.
    guard circle(from: blocker, to: work).isEmpty else {
      forget(work, waitsFor: blocker)
      return false
    }
    lastNumber += 1
    waits[ID(patience)] = Wait(
      number: lastNumber, work: work, blocker: blocker, patience: patience)
    return true
  }

  /// Takes back what ``begin(_:waitsFor:_:)`` noted; of one that was let go that is no error.
  mutating func end(_ patience: Patience) {
    guard let wait = waits.removeValue(forKey: ID(patience)) else { return }
    forget(wait.work, waitsFor: wait.blocker)
  }

  /// Notes that the first work of `line`, each of which came from the next, is not begun before
  /// `turn`, until ``forget(_:waitsFor:)``.
  ///
  /// - Returns: who has to be let go, since what it awaits would else wait for it: of those in a
  ///   circle the one that was last to begin, until there is no circle. Their notes are taken back.
  mutating func note(_ line: some Sequence<Completion>, waitsFor turn: Completion) -> [Patience] {
    guard let work = add(line, waitsFor: turn) else { return [] }
    var letGo: [Patience] = []
    while let wait = lastWait(in: circle(from: turn, to: work)) {
      end(wait.patience)
      letGo.append(wait.patience)
    }
    return letGo
  }

  /// Notes that a turn comes when this work ends, or other work of which the same was noted.
  ///
  /// The first work of a turn is noted before anybody waits for that. To be taken back by
  /// ``forget(_:waitsFor:)``, and if somebody waits, only when what takes its place is noted.
  mutating func note(turn: Completion, comesAfter work: Completion) {
    nodes[ID(turn), default: Node(work: turn, parent: nil, isTurn: true)]
      .blockers[ID(work), default: 0] += 1
  }

  /// Takes back what was noted for this work.
  mutating func forget(_ work: Completion, waitsFor blocker: Completion) {
    var (work, blocker) = (work, blocker)
    while var node = nodes[ID(work)] {
      let id = ID(blocker)
      node.blockers[id] = node.blockers[id].flatMap { $0 > 1 ? $0 - 1 : nil }
      guard node.blockers.isEmpty else {
        nodes[ID(work)] = node
        return
      }
      nodes[ID(work)] = nil
      guard let parent = node.parent else { return }
      (work, blocker) = (parent, work)
    }
  }

  /// Whether nothing waits.
  var isEmpty: Bool { nodes.isEmpty && waits.isEmpty }

  /// Notes that the first work of `line` waits for `blocker`, and returns it.
  private mutating func add(
    _ line: some Sequence<Completion>, waitsFor blocker: Completion
  ) -> Completion? {
    var line = line.makeIterator()
    guard let first = line.next() else { return nil }
    var (work, blocker) = (first, blocker)
    while nodes[ID(work)] == nil {
      let parent = line.next()
      nodes[ID(work)] = Node(work: work, parent: parent, blockers: [ID(blocker): 1])
      guard let parent else { return first }
      (work, blocker) = (parent, work)
    }
    nodes[ID(work)]?.blockers[ID(blocker), default: 0] += 1
    return first
  }

  private func lastWait(in circle: Set<ID>) -> Wait? {
    guard !circle.isEmpty else { return nil }
    return waits.values
      .filter { circle.contains(ID($0.work)) && circle.contains(ID($0.blocker)) }
      .max { $0.number < $1.number }
  }

  /// What lies between `start` and `end` on the ways by which the one cannot end before the other
  /// does, both included; empty if it can.
  private func circle(from start: Completion, to end: Completion) -> Set<ID> {
    let stuck = heldUp(from: start, by: end)
    guard stuck.contains(ID(start)) else { return [] }
    var dependents: [ID: [ID]] = [:]
    var ahead: Set<ID> = [ID(start)]
    var toVisit = [ID(start)]
    while let id = toVisit.popLast() {
      guard let node = nodes[id] else { continue }
      for blocker in node.blockers.keys where stuck.contains(blocker) {
        dependents[blocker, default: []].append(id)
        if ahead.insert(blocker).inserted { toVisit.append(blocker) }
      }
    }
    guard ahead.contains(ID(end)) else { return [] }
    var circle: Set<ID> = [ID(end)]
    toVisit = [ID(end)]
    while let id = toVisit.popLast() {
      for dependent in dependents[id] ?? [] where circle.insert(dependent).inserted {
        toVisit.append(dependent)
      }
    }
    return circle
  }

  /// Of what `work` leads to, that which cannot end before `other` does.
  ///
  /// It looks for what can end without that: what waits for nothing, and what waits only for such.
  private func heldUp(from work: Completion, by other: Completion) -> Set<ID> {
    let (start, wanted) = (ID(work), ID(other))
    var dependents: [ID: [ID]] = [:]
    /// How many of its blockers still have to end before each.
    var missing: [ID: Int] = [:]
    var ending: [ID] = []
    var toVisit = [start]
    while let id = toVisit.popLast() {
      guard missing[id] == nil else { continue }
      guard id != wanted, let node = nodes[id], !node.blockers.isEmpty else {
        missing[id] = id == wanted ? 1 : 0
        if id != wanted { ending.append(id) }
        continue
      }
      missing[id] = node.isTurn ? 1 : node.blockers.count
      for blocker in node.blockers.keys { dependents[blocker, default: []].append(id) }
      toVisit += node.blockers.keys
    }
    while let id = ending.popLast() {
      if id == start { return [] }
      for dependent in dependents[id] ?? [] {
        missing[dependent, default: 0] -= 1
        if missing[dependent] == 0 { ending.append(dependent) }
      }
    }
    return Set(missing.lazy.filter { $0.value > 0 }.map(\.key))
  }
}
