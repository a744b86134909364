/// How long one waits for some work: until it is over, or whoever waits is let go.
package final class Patience: Sendable {
  private struct Memory {
    var isOver = false
    /// Ends the waiting, while there is any.
    var giveUp: (@Sendable () -> Void)?
  }

  private let memory = Lock(Memory())

  package init() {}

  /// Whether the one who waits was let go.
  var isOver: Bool { memory.withLock { $0.isOver } }

  /// Lets the one who waits go, or who will.
  package func end() {
    let giveUp = memory.withLock { memory in
      memory.isOver = true
      defer { memory.giveUp = nil }
      return memory.giveUp
    }
    giveUp?()
  }

  /// Has `giveUp` called when this is over, at once if it is; nil if nobody waits any more.
  func onEnd(_ giveUp: (@Sendable () -> Void)?) {
    let isOver = memory.withLock { memory in
      if !memory.isOver { memory.giveUp = giveUp }
      return memory.isOver
    }
    if isOver { giveUp?() }
  }
}
