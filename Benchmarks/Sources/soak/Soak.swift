import CMemory
import Foundation

/// Runs random programs over effects for a long time, and watches that nothing is left of them.
///
/// Environment: `MINUTES` (10) is how long; `SEED` runs one program again and again, as a failure
/// named it; `PROGRAMS` ends after so many, even if there is time. Prints a JSON object a line.
/// Below a minute there are too few programs to judge the memory by. The exit code is 1 if a program broke a promise, did not end, or if memory grew.
@main
enum Soak {
  static func main() async {
    let environment = ProcessInfo.processInfo.environment
    let minutes = environment["MINUTES"].flatMap(Double.init) ?? 10
    let programs = environment["PROGRAMS"].flatMap(Int.init) ?? .max
    let seed = environment["SEED"].flatMap(UInt64.init)
    exit(await run(minutes: minutes, programs: programs, seed: seed) ? 0 : 1)
  }

  /// Runs away from the main actor, which is no place for effects.
  @concurrent
  private static func run(minutes: Double, programs: Int, seed: UInt64?) async -> Bool {
    let first = seed ?? UInt64.random(in: 0..<1_000_000_000)
    let watchdog = Watchdog()
    let end = Date(timeIntervalSinceNow: minutes * 60)
    var (trend, totals) = (MemoryTrend(), Totals())
    while totals.programs < programs, Date() < end {
      let current = seed ?? first + UInt64(totals.programs)
      let run = SoakRun(Program(seed: current))
      watchdog.watch(run)
      await run.run()
      watchdog.watch(nil)
      guard run.violations.all.isEmpty else {
        for violation in run.violations.all { complain("seed \(current): \(violation)") }
        complain("to see it again: make soak SEED=\(current)")
        return false
      }
      totals.add(run)
      if totals.programs >= MemoryTrend.warmUp, totals.programs % MemoryTrend.interval == 0 {
        trend.sample(programs: totals.programs)
      }
      if totals.programs % 1_000 == 0 { tell(totals.line(seed: current)) }
    }
    return conclude(trend, totals, seed: first)
  }

  private static func conclude(_ trend: MemoryTrend, _ totals: Totals, seed: UInt64) -> Bool {
    tell(totals.line(seed: seed))
    guard let growth = trend.growth else { return true }
    let allowed = MemoryTrend.tolerance + MemoryTrend.tolerancePerProgram * growth.programs
    tell(
      "{\"growth\":\(growth.bytes),\"overPrograms\":\(growth.programs),\"allowed\":\(allowed)}")
    if growth.bytes > allowed {
      complain("memory grew by \(growth.bytes) bytes over \(growth.programs) programs")
      return false
    }
    return true
  }

  /// What all programs did together.
  private struct Totals {
    var programs = 0
    var bodies = 0
    var objects = 0

    mutating func add(_ run: SoakRun) {
      programs += 1
      bodies += run.bodies.begun
      objects += run.objects.begun
    }

    func line(seed: UInt64) -> String {
      "{\"seed\":\(seed),\"programs\":\(programs),\"bodies\":\(bodies),\"objects\":\(objects),"
        + "\"bytes\":\(cmemory_bytes_in_use()),\"resident\":\(cmemory_resident_bytes())}"
    }
  }
}
