/// A dispatch together with everything that came of it, for as long as any of that goes on.
///
/// Whatever still works for a dispatch (a queued start, a running effect, the lineage of an action
/// that one of those sent) holds its lineage, and its completion is finished when the last of them
/// lets go. Nobody counts, so nobody can count wrong.
///
/// A child holds its parent only while somebody watches the parent, that is, while a handle to it
/// exists. A chain of a million generations of which nobody kept a handle is therefore never longer
/// than one.
@usableFromInline
package final class Lineage: Sendable {
  private struct Memory {
    var parent: Lineage?
    var completion: Completion
  }

  private let memory: Lock<Memory>

  @usableFromInline
  package convenience init(parent: Lineage?) {
    self.init(parent: parent, completion: Completion())
  }

  private init(parent: Lineage?, completion: Completion) {
    memory = Lock(Memory(parent: parent?.nearestWatched, completion: completion))
  }

  /// Makes a lineage that is watched at once.
  @usableFromInline
  static func make(parent: Lineage?) -> (lineage: Lineage, completion: Completion) {
    let completion = Completion()
    return (Lineage(parent: parent, completion: completion), completion)
  }

  /// Finished when nothing works for this dispatch any more.
  @usableFromInline
  package var completion: Completion {
    memory.withLock { $0.completion }
  }

  /// The completions that cannot be finished before this dispatch is: its own, then its ancestors'.
  var completionsAhead: some Sequence<Completion> {
    sequence(first: self) { $0.parent }.lazy.map(\.completion)
  }

  /// Whether what works for this dispatch has to end before that completion is finished.
  package func isAhead(of completion: Completion) -> Bool {
    completionsAhead.contains { $0 === completion }
  }

  /// This lineage if a handle to it exists, else the nearest ancestor of which that is true.
  ///
  /// Only the lineage itself and handles hold a completion. While no handle does, none can appear.
  private var nearestWatched: Lineage? {
    var lineage: Lineage? = self
    while let current = lineage, !current.isWatched { lineage = current.parent }
    lineage?.forgetUnwatchedParents()
    return lineage
  }

  private var isWatched: Bool {
    memory.withLock { !isKnownUniquelyReferenced(&$0.completion) }
  }

  private var parent: Lineage? { memory.withLock { $0.parent } }

  /// Lets go of parents whose handles were given up since this lineage was made: who keeps only the
  /// latest handle of a chain keeps no more than that.
  private func forgetUnwatchedParents() {
    while let parent, !parent.isWatched {
      let grandparent = parent.parent
      let forgotten = memory.withLock { memory in
        defer { memory.parent = grandparent }
        return memory.parent
      }
      _ = consume forgotten
    }
  }

  deinit {
    let completion: Completion
    var parent: Lineage?
    (completion, parent) = memory.withLock { memory in
      defer { memory.parent = nil }
      return (memory.completion, memory.parent)
    }
    completion.finish()
    // Long chains of watched ancestors end here one after the other; released by recursion they
    // would overflow the stack.
    while isKnownUniquelyReferenced(&parent) {
      parent = parent?.takeParent()
    }
  }

  private func takeParent() -> Lineage? {
    memory.withLock { memory in
      defer { memory.parent = nil }
      return memory.parent
    }
  }
}
