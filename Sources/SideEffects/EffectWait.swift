/// What a run of an effect waits for, as far as the library knows.
public enum EffectWait: Sendable, Hashable {
  /// For its turn: another run of the same key has to end first.
  case turn
  /// Until a time, measured by the store's clock since the store was made.
  case time(Duration)
  /// For an action of this type.
  case action(type: String)
  /// For the state to be as it wants.
  case condition
  /// For the answer to a call that it shares with other runs.
  case sharedCall
  /// For something outside the library: a service, a stream, a lock; or it is computing.
  case outside
}

extension EffectWait: CustomStringConvertible {
  /// What it waits for, as a part of a sentence that begins with the name of the effect.
  public var description: String {
    switch self {
    case .turn: "waits for its turn"
    case .time(let due): "sleeps until +\(due.inSeconds) s"
    case .action(let type): "waits for an action \(type)"
    case .condition: "waits for a condition of the state"
    case .sharedCall: "waits for a call that it shares"
    case .outside: "waits for something outside the library"
    }
  }
}

extension Duration {
  /// The seconds, with as many digits as say something.
  package var inSeconds: String {
    let milliseconds = (self / .milliseconds(1)).rounded() / 1_000
    return milliseconds == milliseconds.rounded()
      ? "\(Int64(exactly: milliseconds) ?? .max)" : "\(milliseconds)"
  }
}
