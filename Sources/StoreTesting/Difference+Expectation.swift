import Middleware

extension Difference {
  /// Returns one line for each part in which `actual` is not as expected.
  static func between<Value>(expected: Value, actual: Value) -> [String] {
    let lines = between(expected, actual).map(\.expectation)
    // Parts that print alike can still be unequal: the two as a whole say at least what they are.
    return lines.isEmpty ? ["expected \(expected), got \(actual)"] : lines
  }

  /// One line that says so, of a difference between what was expected and what is.
  var expectation: String {
    let name = path.isEmpty ? "" : "\(path): "
    return "\(name)expected \(old ?? "nothing"), got \(new ?? "nothing")"
  }
}
