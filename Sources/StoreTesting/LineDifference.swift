/// How two texts differ, line by line, with what stands around each change.
///
/// Lines are compared byte by byte: two ways to write an `é` are a difference, and so are a carriage
/// return and a newline at the end.
struct LineDifference: Sendable {
  private enum Change { case kept, removed, added }

  private var lines: [(change: Change, text: String)] = []

  /// How many lines are shown around a change.
  private static var context: Int { 3 }

  init(from old: String, to new: String) {
    let (old, new) = (Self.lines(old), Self.lines(new))
    let difference = new.difference(from: old)
    let removed = Set(difference.removals.map(Self.offset))
    let added = Set(difference.insertions.map(Self.offset))
    var (place, newPlace) = (0, 0)
    while place < old.count || newPlace < new.count {
      if removed.contains(place) {
        append(.removed, old[place], isLast: place == old.count - 1)
        place += 1
      } else if added.contains(newPlace) {
        append(.added, new[newPlace], isLast: newPlace == new.count - 1)
        newPlace += 1
      } else {
        append(.kept, old[place], isLast: place == old.count - 1)
        (place, newPlace) = (place + 1, newPlace + 1)
      }
    }
  }

  /// What follows the last newline is a line too, and empty if nothing does.
  private static func lines(_ text: String) -> [[UInt8]] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
  }

  private static func offset(_ change: CollectionDifference<[UInt8]>.Change) -> Int {
    switch change {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }

  private mutating func append(_ change: Change, _ line: [UInt8], isLast: Bool) {
    let text = String(decoding: line, as: UTF8.self)
    // What the last newline is followed by is worth a line only if it was not expected to be there.
    if isLast, line.isEmpty {
      if change != .kept { lines.append((change, "(a newline at the end)")) }
    } else {
      lines.append((change, String(String.UnicodeScalarView(text.unicodeScalars.flatMap(visible)))))
    }
  }

  /// A control character as it is written in Swift, so that a terminal shows it.
  private func visible(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    let isControl = scalar.properties.generalCategory == .control && scalar != "\t"
    return (isControl ? scalar.escaped(asASCII: true) : String(scalar)).unicodeScalars
  }
}

extension LineDifference: CustomStringConvertible {
  /// The lines, those that were removed after a `-`, those that were added after a `+`, and an
  /// ellipsis for those that are the same and far from both.
  var description: String {
    let changes = lines.indices.filter { lines[$0].change != .kept }
    var (shown, skips) = ([String](), false)
    var next = 0
    for (place, line) in lines.enumerated() {
      while next < changes.count, changes[next] < place { next += 1 }
      let isNear =
        next < changes.count && changes[next] - place <= Self.context
        || next > 0 && place - changes[next - 1] <= Self.context
      if isNear {
        let mark = line.change == .kept ? " " : line.change == .removed ? "-" : "+"
        shown.append(line.text.isEmpty && mark == " " ? "" : "\(mark) \(line.text)")
      } else if !skips {
        shown.append("  …")
      }
      skips = !isNear
    }
    return shown.joined(separator: "\n")
  }
}
