import Foundation

/// Which programs are run; the environment of the tests says so.
///
/// `MILLRACE_MODEL_PROGRAMS` is how many there are in all, half of them for one thread, and
/// `MILLRACE_MODEL_SEED` the seed of the first. A seed alone runs just its two programs.
struct ModelSettings {
  let seeds: Range<UInt64>

  static let current = ModelSettings(ProcessInfo.processInfo.environment)

  init(_ environment: [String: String]) {
    let seed = environment["MILLRACE_MODEL_SEED"].flatMap(UInt64.init)
    let count = environment["MILLRACE_MODEL_PROGRAMS"].flatMap(UInt64.init)
    let first = seed ?? 1
    let half = ((count ?? (seed == nil ? 1_000 : 2)) + 1) / 2
    seeds = first..<first + half
  }
}
