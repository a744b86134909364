/// Links that want to read what becomes of the state, the innermost first.
@usableFromInline
final class StateReaders<State: Sendable>: Sendable {
  @usableFromInline let read: @Sendable (_ commit: UInt64, _ state: State) -> Void
  @usableFromInline let outer: StateReaders?

  @usableFromInline
  init(outer: StateReaders?, read: @escaping @Sendable (UInt64, State) -> Void) {
    self.read = read
    self.outer = outer
  }

  /// Called in the critical section of a commit.
  @usableFromInline
  func callAll(commit: UInt64, state: State) {
    var readers: StateReaders? = self
    while let current = readers {
      current.read(commit, state)
      readers = current.outer
    }
  }
}
