/// Where a command writes text.
protocol TextOutput: Sendable {
  /// Finds out whether anything can be written at all, before there is something to lose.
  func check() throws(OutputError)

  /// Writes all of the text, or fails; some of it may then have been written.
  func write(_ text: String) throws(OutputError)
}

/// Why text could not be written.
enum OutputError: Error, Hashable, Sendable {
  /// Nobody reads the other end any more, which is no fault of anybody's.
  case brokenPipe
  /// The system refused. `reason` continues "cannot write the result: ".
  case refused(reason: String)
}
