import Store

extension EffectRun {
  /// What a run goes through; a cancelled one goes through it too, without its body.
  struct Progress {
    /// The dispatch it works for, from the registration of the run until it is over.
    var lineage: Lineage?
    /// The task that waits for the run's turn, from its registration until it is over.
    var held: HeldTask?
    /// The task that was made in the run's turn, until it is over.
    var started: Task<Void, Never>?
    /// The runs to be interrupted in its turn.
    var ending: [EffectRun] = []
    /// Where its runner keeps it.
    var place = 0
    /// When its age began to count, since the store was made; nil while it has not suspended.
    ///
    /// One that never does need not ask the clock, which is a twentieth of its time.
    var begin: Duration?
    /// Whether its turn has come.
    var isOpen = false
    /// Whether it is not in the queue of the store, so that its turn does not come by itself.
    var isWaiting = false
    /// Whether it is not to run, because its queue is full.
    var isRefused = false
    /// Whether no fork may begin any more, because the run fails or has ended.
    var isClosed = false
    /// What few runs have; made when it is first needed.
    var details: Details?

    /// Returns the details, which are made if there are none.
    mutating func makeDetails() -> Details {
      let details = details ?? Details()
      self.details = details
      return details
    }

    /// How a run starts.
    enum Opening {
      case held(HeldTask)
      /// Its task is still to be made.
      case new
    }

    /// Returns how the run starts, if it has not.
    mutating func open() -> Opening? {
      guard !isOpen else { return nil }
      isOpen = true
      return held.map { .held($0) } ?? .new
    }

    /// Notes that a turn comes by the end of the run, or no longer that one does.
    ///
    /// Also of a run that is over and about to be forgotten: until then it has its place, and then
    /// the note is taken back.
    mutating func holdUp(_ turn: Completion?) {
      if let old = details?.heldUpTurn { makeDetails().end.precedesNoLonger(old) }
      if let turn { makeDetails().end.precedes(turn) }
      details?.heldUpTurn = turn
    }
  }

  /// What few runs have; protected by the lock of the run.
  final class Details {
    /// Stands for the end of the run where it is noted who waits for what.
    let end = Completion()
    /// The turn that it waits for, if that comes by the end of another run.
    var awaitedTurn: Completion?
    /// The turn of others that comes by its end.
    var heldUpTurn: Completion?
    /// What it waits for, as far as that is known.
    var waits = RunWaits()
    /// The patience to end in its turn, of those who can wait no more because of it.
    var letGo: [Patience] = []
    /// What goes on beside the body.
    var forks: [UInt64: Task<Void, Never>] = [:]
    /// What the first fork threw that failed.
    var forkFailure: (any Error)?
    private var lastNumber: UInt64 = 0

    /// Returns a number for a wait or a fork.
    func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }
  }
}
