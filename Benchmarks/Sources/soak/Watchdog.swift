import Foundation
import Synchronization

/// Ends the process when a program does not end, and says what it is at.
final class Watchdog: Sendable {
  private let current = Mutex<(run: SoakRun, deadline: Date)?>(nil)

  /// How long a program may take; most take some milliseconds.
  private static let limit: TimeInterval = 120

  /// Begins to watch, on a thread of its own: the tasks' threads may all be stuck.
  init() {
    Thread { [self] in
      while true {
        Thread.sleep(forTimeInterval: 1)
        let late = current.withLock { current in
          current.flatMap { $0.deadline < Date() ? $0.run : nil }
        }
        if let late { bite(late) }
      }
    }.start()
  }

  func watch(_ run: SoakRun?) {
    current.withLock { current in
      current = run.map { ($0, Date(timeIntervalSinceNow: Self.limit)) }
    }
  }

  private func bite(_ run: SoakRun) -> Never {
    complain("seed \(run.program.seed): it does not end. \(run.status.joined(separator: "; "))")
    for (name, plan) in zip(Program.names, run.program.effects) { complain("  ‘\(name)’: \(plan)") }
    // If nothing is said of its effects, the store's lock is held.
    Thread { for effect in run.liveEffects { complain("  \(effect)") } }.start()
    Thread.sleep(forTimeInterval: 5)
    exit(1)
  }
}

/// Writes a line to the standard output stream, at once: who waits for hours wants to see it.
func tell(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// Writes a line to the standard error stream.
func complain(_ message: String) {
  FileHandle.standardError.write(Data("soak: \(message)\n".utf8))
}
