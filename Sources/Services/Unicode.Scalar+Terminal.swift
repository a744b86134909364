extension Unicode.Scalar {
  /// Whether the character steers a terminal, or reorders the text after it.
  ///
  /// These are the controls of both sets, and the embeddings, overrides and isolates of UAX #9.
  /// The marks of that annex are not among them: they are part of ordinary Arabic and Hebrew text.
  package var steersTerminal: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
