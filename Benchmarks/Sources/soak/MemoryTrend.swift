import CMemory

/// Whether memory grows with the number of programs.
struct MemoryTrend {
  /// The bytes in use when so many programs had ended and nothing of them was left.
  private(set) var samples: [(programs: Int, bytes: Int)] = []

  /// How many programs run before the first sample: they fill the pools that stay.
  static let warmUp = 500
  /// How many programs are between two samples.
  static let interval = 50
  /// By how much the bytes in use may grow without being a trend: pools grow with rare crowds.
  static let tolerance = 128 * 1024
  /// And by how much for each program; the smallest object that is forgotten takes 32.
  static let tolerancePerProgram = 8

  mutating func sample(programs: Int) {
    samples.append((programs, Int(cmemory_bytes_in_use())))
  }

  /// By how much the last third of the samples is above the first, and over how many programs; nil
  /// if there are too few.
  var growth: (bytes: Int, programs: Int)? {
    let size = samples.count / 3
    guard size > 0 else { return nil }
    let (first, last) = (samples.prefix(size), samples.suffix(size))
    return (
      mean(last.map(\.bytes)) - mean(first.map(\.bytes)),
      mean(last.map(\.programs)) - mean(first.map(\.programs))
    )
  }

  private func mean(_ numbers: [Int]) -> Int { numbers.reduce(0, +) / numbers.count }
}
