package import Store

/// A part in which two values of one type differ.
package struct Difference: Equatable, Sendable {
  /// Where the part is, as in `posts[0].title`; empty for the values as a whole.
  package let path: String
  /// How the part prints in the old value; nil if it has no such part.
  package let old: String?
  /// How the part prints in the new value; nil if it has no such part.
  package let new: String?

  /// Returns the smallest parts in which two values differ, in the order in which they are
  /// declared.
  ///
  /// Parts that are equal are left out, and so are those that cannot be compared and print alike.
  /// The elements of a dictionary are found by key and those of a set by themselves; those of an
  /// array are compared place by place.
  package static func between<Value>(_ old: Value, _ new: Value) -> [Difference] {
    all(between: old, and: new)
  }

  /// Returns the same for values in boxes, and takes neither out onto the stack.
  package static func between<Value>(
    _ old: BoxedValue<Value>, _ new: BoxedValue<Value>
  ) -> [Difference] {
    all(between: old.erased, and: new.erased)
  }

  private static func all(between old: Any, and new: Any) -> [Difference] {
    var comparison = Comparison()
    comparison.compare(old, new, path: Path())
    return comparison.differences
  }
}

extension Difference {
  /// The way to a part.
  fileprivate struct Path: Sendable {
    private(set) var text = ""
    /// How many parts deeper a comparison may go: it recurses, and a list of objects may be long.
    private(set) var stepsLeft = 64

    func appending(label: some StringProtocol) -> Path {
      appending(text.isEmpty ? String(label) : ".\(label)")
    }

    func appending(index: String) -> Path { appending("[\(index)]") }

    private func appending(_ step: String) -> Path {
      var path = self
      path.text += step
      path.stepsLeft -= 1
      return path
    }
  }

  /// A comparison under way.
  fileprivate struct Comparison: Sendable {
    private(set) var differences: [Difference] = []
    /// The pairs of objects that were compared: objects may refer to each other in a circle.
    private var pairs: Set<[ObjectIdentifier]> = []
  }
}

extension Difference.Comparison {
  mutating func compare(_ old: Any, _ new: Any, path: Difference.Path) {
    let isEqual = areEqual(old, new)
    if isEqual == true { return }
    let before = differences.count
    let haveParts = path.stepsLeft > 0 && compareParts(old, new, path: path)
    guard before == differences.count else { return }
    // Values that are unequal and have no part that is still differ, even when they print alike.
    let (old, new) = (text(old), text(new))
    if isEqual == false || (!haveParts && old != new) {
      differences.append(Difference(path: path.text, old: old, new: new))
    }
  }

  /// Compares the parts of two values; answers false if they have none that can be paired.
  private mutating func compareParts(_ old: Any, _ new: Any, path: Difference.Path) -> Bool {
    let (oldMirror, newMirror) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard oldMirror.subjectType == newMirror.subjectType else { return false }
    let (oldParts, newParts) = (Array(oldMirror.children), Array(newMirror.children))
    switch oldMirror.displayStyle {
    case .struct, .tuple, .class, .collection:
      guard !oldParts.isEmpty || !newParts.isEmpty else { return false }
      if oldMirror.displayStyle == .class {
        let pair = [old, new].map { ObjectIdentifier($0 as AnyObject) }
        guard pairs.insert(pair).inserted else { return true }
      }
      compare(oldParts, newParts, path: path)
    case .optional:
      guard let old = oldParts.first, let new = newParts.first else { return false }
      compare(old.value, new.value, path: path)
    case .enum:
      guard let old = oldParts.first, let new = newParts.first, old.label == new.label else {
        return false
      }
      compare(old.value, new.value, path: path.appending(label: old.label ?? ""))
    case .dictionary:
      guard let old = old as? [AnyHashable: Any], let new = new as? [AnyHashable: Any] else {
        return false
      }
      compare(old, new, path: path)
    case .set:
      guard let old = old as? Set<AnyHashable>, let new = new as? Set<AnyHashable> else {
        return false
      }
      let members = { (set: Set<AnyHashable>) in Dictionary(set.map { ($0, $0.base) }) { $1 } }
      compare(members(old), members(new), path: path)
    default:
      return false
    }
    return true
  }

  private mutating func compare(
    _ old: [Mirror.Child], _ new: [Mirror.Child], path: Difference.Path
  ) {
    for index in 0..<max(old.count, new.count) {
      let label = (index < old.count ? old : new)[index].label
      // The label of a tuple's element is its number with a period before it.
      let part =
        label.map { path.appending(label: $0.drop { $0 == "." }) }
        ?? path.appending(index: "\(index)")
      compare(
        index < old.count ? old[index].value : nil, index < new.count ? new[index].value : nil,
        part: part)
    }
  }

  private mutating func compare(
    _ old: [AnyHashable: Any], _ new: [AnyHashable: Any], path: Difference.Path
  ) {
    let keys = Set(old.keys).union(new.keys).map { (key: $0, text: text($0.base)) }
    for (key, text) in keys.sorted(by: { $0.text < $1.text }) {
      compare(old[key], new[key], part: path.appending(index: text))
    }
  }

  private mutating func compare(_ old: Any?, _ new: Any?, part: Difference.Path) {
    if let old, let new { return compare(old, new, path: part) }
    differences.append(Difference(path: part.text, old: old.map(text), new: new.map(text)))
  }

  /// Whether two values are equal, or nil if they cannot be compared.
  private func areEqual(_ old: Any, _ new: Any) -> Bool? {
    func isEqual<Value: Equatable>(_ old: Value) -> Bool? { (new as? Value).map { old == $0 } }
    return (old as? any Equatable).flatMap { isEqual($0) }
  }

  private func text(_ value: Any) -> String {
    var text = ""
    debugPrint(value, terminator: "", to: &text)
    return text
  }
}
