/// Finds the word that was probably meant.
enum Suggestion {
  /// Returns the candidate closest to what was typed, or nil if none is close.
  ///
  /// A candidate is close if it begins with what was typed, or if one slip of the finger for every
  /// three letters, and at least one, turns the one into the other. Leading dashes of any kind do
  /// not count: `-output` and a pasted `—output` mean `--output`.
  static func closest(to typed: String, among candidates: [String]) -> String? {
    let typed = bare(typed)
    guard !typed.isEmpty else { return nil }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let word = bare(candidate)
      let limit = max(1, min(typed.count, word.count) / 3)
      let distance =
        typed.count > 1 && word.hasPrefix(typed) ? 1 : editDistance(from: typed, to: word)
      if distance <= limit, distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    return best?.candidate
  }

  /// The sentence to put after an error, with the space before it; nothing without a suggestion.
  static func question(_ suggestion: String?) -> String {
    suggestion.map { " Did you mean '\($0)'?" } ?? ""
  }

  /// Counts the letters to insert, delete, replace or swap with their neighbour.
  ///
  /// This is the optimal string alignment distance; it takes time proportional to the product of
  /// the lengths, and gives up beyond 64 letters, which no name here has.
  static func editDistance(from source: String, to target: String) -> Int {
    let source = Array(source)
    let target = Array(target)
    guard source.count <= 64, target.count <= 64 else { return .max }
    var beforePrevious: [Int] = []
    var previous = Array(0...target.count)
    for (row, letter) in source.enumerated() {
      var current = [row + 1]
      for (column, other) in target.enumerated() {
        var distance = min(
          previous[column + 1] + 1, current[column] + 1,
          previous[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == target[column - 1], source[row - 1] == other {
          distance = min(distance, beforePrevious[column - 1] + 1)
        }
        current.append(distance)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[target.count]
  }

  private static func bare(_ word: String) -> String {
    String(word.drop { "-–—−".contains($0) }).lowercased()
  }
}
