/// A value as text that is the same in every run.
///
/// A text is itself, and a list of texts its lines. Anything else is a line for each part, as in
/// `posts[0].title: "Hello"`; dictionaries and sets are in the order of their texts.
struct SnapshotText {
  private(set) var text: String

  init(_ value: Any) {
    if let text = value as? String {
      self.text = text
    } else if let lines = value as? [String] {
      text = lines.map { "\($0)\n" }.joined()
    } else {
      text = ""
      append(value, path: "", depth: 0)
    }
  }

  /// Objects may refer to each other in a circle.
  private static var deepest: Int { 64 }

  private mutating func append(_ value: Any, path: String, depth: Int) {
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children.map { (label: $0.label, value: $0.value) }
    let isWhole = parts.isEmpty || depth == Self.deepest
    switch mirror.displayStyle {
    case .struct, .class, .tuple:
      guard !isWhole, !(value is any CustomStringConvertible) else { break }
      for (place, part) in parts.enumerated() {
        // The label of a tuple's element is its number with a period before it.
        let label = part.label.map { String($0.drop { $0 == "." }) } ?? "\(place)"
        append(part.value, path: path.isEmpty ? label : "\(path).\(label)", depth: depth + 1)
      }
      return
    case .collection:
      guard !isWhole else { break }
      for (place, part) in parts.enumerated() {
        append(part.value, path: "\(path)[\(place)]", depth: depth + 1)
      }
      return
    case .dictionary:
      guard !isWhole else { break }
      let pairs = parts.map { part in
        let pair = Mirror(reflecting: part.value).children.map(\.value)
        return (key: String(reflecting: pair[0]), value: pair[1])
      }
      for (key, value) in pairs.sorted(by: { $0.key < $1.key }) {
        append(value, path: "\(path)[\(key)]", depth: depth + 1)
      }
      return
    case .set:
      guard !isWhole else { break }
      let members = parts.map { String(reflecting: $0.value) }.sorted()
      text += "\(path.isEmpty ? "" : "\(path): ")[\(members.joined(separator: ", "))]\n"
      return
    case .optional:
      guard let part = parts.first, !isWhole else { break }
      return append(part.value, path: path, depth: depth + 1)
    default: break
    }
    text += "\(path.isEmpty ? "" : "\(path): ")\(String(reflecting: value))\n"
  }
}
