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
