extension Duration {
  /// The duration in the largest unit of which it has at least one: `850 ns`, `12.5 µs`, `3.2 ms`,
  /// `75.0 s`; digits that are not shown are cut off.
  var readable: String {
    let (seconds, attoseconds) = components
    guard seconds == 0 else { return "\(seconds).\(abs(attoseconds) / 100_000_000_000_000_000) s" }
    let nanoseconds = attoseconds / 1_000_000_000
    return switch abs(nanoseconds) {
    case 1_000_000...: "\(nanoseconds / 1_000_000).\(abs(nanoseconds) / 100_000 % 10) ms"
    case 1_000...: "\(nanoseconds / 1_000).\(abs(nanoseconds) / 100 % 10) µs"
    default: "\(nanoseconds) ns"
    }
  }
}
