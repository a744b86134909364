extension LinkContext {
  /// Reads a part of the state as it is now; nil once the store is gone.
  package func read<Value>(_ selector: @Sendable (State) -> Value) -> Value? {
    frame.reference.read(selector)
  }
}
