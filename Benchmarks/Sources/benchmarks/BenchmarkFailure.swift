/// A benchmark that could not be measured.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let name: String
  let outcome: WrongOutcome

  var description: String {
    """
    \(name) computed \(outcome.actual) where it should compute \(outcome.expected), \
    so it was not measured. Either the benchmark is wrong or what it measures is; \
    the test suite tells which.
    """
  }
}
