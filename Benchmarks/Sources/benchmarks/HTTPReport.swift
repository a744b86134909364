/// What a client program tells of its load, in one line of three numbers.
struct HTTPReport: Equatable {
  /// From the first request to the end of the last.
  let nanoseconds: Double
  /// For how long processors worked for the program meanwhile, in all its threads.
  let processorNanoseconds: Double
  /// The most memory that the program has had.
  let peakBytes: Double

  /// Reads the line, or returns nil if it is another.
  init?(line: some StringProtocol) {
    let numbers = line.split(whereSeparator: \.isWhitespace).map { Double($0) }
    guard numbers.count == 3, let nanoseconds = numbers[0], let processor = numbers[1],
      let peak = numbers[2], nanoseconds > 0, processor > 0, peak > 0
    else { return nil }
    self.nanoseconds = nanoseconds
    processorNanoseconds = processor
    peakBytes = peak
  }

  /// What is asked of a report.
  enum Measure: String, CaseIterable {
    /// Requests a second.
    case rate
    /// The processors' nanoseconds a request.
    case cpu
    /// Bytes.
    case memory
    /// Nanoseconds, all together.
    case time
  }

  func value(of measure: Measure, requests: Int) -> Double {
    switch measure {
    case .rate: Double(requests) / nanoseconds * 1e9
    case .cpu: processorNanoseconds / Double(requests)
    case .memory: peakBytes
    case .time: nanoseconds
    }
  }
}
