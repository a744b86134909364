/// Where two values of one type differ, as lines that name the path.
enum Difference {
  /// Returns one line for each part in which `actual` is not as expected.
  static func between<Value>(expected: Value, actual: Value) -> [String] {
    var lines: [String] = []
    compare(expected, actual, path: "", into: &lines)
    // Parts that print alike can still be unequal: the two as a whole say at least what they are.
    return lines.isEmpty ? ["expected \(expected), got \(actual)"] : lines
  }

  private static func compare(
    _ expected: Any, _ actual: Any, path: String, into lines: inout [String]
  ) {
    let expectedMirror = Mirror(reflecting: expected)
    let actualMirror = Mirror(reflecting: actual)
    let isCollection = expectedMirror.displayStyle == .collection
    guard
      isCollection || expectedMirror.displayStyle == .struct
        || expectedMirror.displayStyle == .tuple || expectedMirror.displayStyle == .class,
      expectedMirror.subjectType == actualMirror.subjectType,
      !expectedMirror.children.isEmpty || !actualMirror.children.isEmpty
    else {
      if text(expected) != text(actual) {
        let name = path.isEmpty ? "" : "\(path): "
        lines.append("\(name)expected \(text(expected)), got \(text(actual))")
      }
      return
    }
    let expectedParts = Array(expectedMirror.children)
    let actualParts = Array(actualMirror.children)
    for index in 0..<max(expectedParts.count, actualParts.count) {
      let label = (index < expectedParts.count ? expectedParts : actualParts)[index].label
      // The label of a tuple's element is its number with a period before it.
      let name = label.map { $0.drop { $0 == "." } }
      let part = name.map { path.isEmpty ? "\($0)" : "\(path).\($0)" } ?? "\(path)[\(index)]"
      if index >= expectedParts.count {
        lines.append("\(part): expected nothing, got \(text(actualParts[index].value))")
      } else if index >= actualParts.count {
        lines.append("\(part): expected \(text(expectedParts[index].value)), got nothing")
      } else {
        compare(expectedParts[index].value, actualParts[index].value, path: part, into: &lines)
      }
    }
  }

  private static func text(_ value: Any) -> String {
    var text = ""
    debugPrint(value, terminator: "", to: &text)
    return text
  }
}
