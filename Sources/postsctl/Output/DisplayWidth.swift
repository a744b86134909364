/// How many columns a terminal gives to text.
///
/// The rules are those of `wcwidth`, plus the one for emoji: a cluster that is shown as a picture
/// takes two columns, however many characters it is joined from.
enum DisplayWidth {
  /// Returns the columns of text that has no control characters.
  static func columns(of text: String) -> Int {
    let scalars = text.unicodeScalars
    // To find the clusters takes five times as long, and only where pictures are joined or selected
    // does a cluster take other columns than its characters.
    guard scalars.contains(where: makesPictures) else {
      return scalars.reduce(0) { $0 + columns(of: $1) }
    }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  private static func makesPictures(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || (0x1F000..<0x20000).contains(scalar.value)
  }

  private static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if isPicture(first, in: scalars) { return 2 }
    return scalars.reduce(0) { $0 + columns(of: $1) }
  }

  private static func isPicture(
    _ first: Unicode.Scalar, in scalars: Character.UnicodeScalarView
  ) -> Bool {
    let properties = first.properties
    // Digits and signs such as © are emoji too, but without the selector they are text on screen.
    return properties.isEmojiPresentation
      || (properties.isEmoji && scalars.contains { $0.value == 0xFE0F })
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    if WideScalars.contains(scalar) { return 2 }
    // The later parts of a Hangul syllable are drawn into the cell of its first.
    if (0x1160...0x11FF).contains(scalar.value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return scalar.value == 0xAD ? 1 : 0
    default: return 1
    }
  }
}
