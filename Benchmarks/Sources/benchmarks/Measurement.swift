/// Returns the nanoseconds that one of `operations` took, on the clock that never stops.
@inline(never)
func nanoseconds(for operations: Int, _ work: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  try work()
  return (clock.now - start).inNanoseconds / Double(operations)
}

/// Returns the nanoseconds that one of `operations` took, with what is awaited in between.
@inline(never)
func nanoseconds(for operations: Int, _ work: () async throws -> Void) async rethrows -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  try await work()
  return (clock.now - start).inNanoseconds / Double(operations)
}

/// Returns a value in a way the optimiser cannot see through, so that no constant is folded.
@inline(never)
@_optimize(none)
func opaque<Value>(_ value: Value) -> Value {
  value
}

/// Throws unless the measured work had the outcome it should have.
func expect<Value: Equatable>(_ actual: Value, equals expected: Value) throws(WrongOutcome) {
  guard actual == expected else {
    throw WrongOutcome(actual: "\(actual)", expected: "\(expected)")
  }
}

/// The measured program did not compute what it should, so its time means nothing.
struct WrongOutcome: Error {
  let actual: String
  let expected: String
}

extension Duration {
  fileprivate var inNanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}
