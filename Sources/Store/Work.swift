/// Something to do when the store is not locked.
@usableFromInline
struct Work: Sendable {
  /// The generation of the dispatch that it follows.
  @usableFromInline let generation: UInt32
  /// The thread that queued it.
  @usableFromInline let thread: ThreadIdentity
  @usableFromInline let perform: @Sendable () -> Void

  @inlinable
  init(generation: UInt32 = 0, _ perform: @escaping @Sendable () -> Void) {
    self.generation = generation
    thread = .current
    self.perform = perform
  }

  @inlinable
  init(generation: UInt32 = 0, _ followUp: any FollowUp) {
    self.init(generation: generation) { followUp.perform() }
  }
}

/// How a thread ends its turn of draining.
@usableFromInline
enum TurnEnd: Sendable {
  /// As many pieces of work of others are done by one thread in one turn.
  @inlinable static var mostForeign: Int { 10_000 }

  /// Nothing is left to do.
  case isDone
  /// It has done enough of what others queued meanwhile, and something is left.
  case handsOver
}
