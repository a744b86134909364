import Middleware

extension Difference {
  /// Returns one line for each part in which `actual` is not as expected.
  static func between<Value>(expected: Value, actual: Value) -> [String] {
    let lines = between(expected, actual).map { difference in
      let name = difference.path.isEmpty ? "" : "\(difference.path): "
      let (old, new) = (difference.old ?? "nothing", difference.new ?? "nothing")
      return "\(name)expected \(old), got \(new)"
    }
    // Parts that print alike can still be unequal: the two as a whole say at least what they are.
    return lines.isEmpty ? ["expected \(expected), got \(actual)"] : lines
  }
}
