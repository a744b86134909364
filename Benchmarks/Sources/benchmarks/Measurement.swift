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

extension Duration {
  fileprivate var inNanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}
