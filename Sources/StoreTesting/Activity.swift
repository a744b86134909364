import SideEffects
import Store

/// What a store is still at.
struct Activity: Sendable {
  /// The runs of effects that are alive, without those in the background.
  let runs: [LiveEffect]
  /// Those in the background.
  let background: [LiveEffect]
  /// How many effects were cancelled, or replaced by a later action, and have not ended yet.
  let cancelled: Int
  /// Whether no link of the chain and no item is at work.
  let isQuiet: Bool
  /// How long it is until the first on the clock of the test is due; nil if nobody sleeps there.
  let untilDue: Duration?
  /// What the executor and the clock know of the tasks of a run, by its number.
  let sights: [UInt64: SeenTasks.Sight]

  init(
    runs: [LiveEffect], background: [LiveEffect] = [], cancelled: Int, isQuiet: Bool = true,
    untilDue: Duration? = nil, sights: [UInt64: SeenTasks.Sight] = [:]
  ) {
    self.runs = runs
    self.background = background
    self.cancelled = cancelled
    self.isQuiet = isQuiet
    self.untilDue = untilDue
    self.sights = sights
  }

  /// What `store`, which was made at `start`, is at now.
  init<State>(
    of store: Store<State>, clock: TestClock, executor: DeterministicExecutor,
    since start: TestClock.Instant
  ) {
    let alive = store.liveEffects()
    let sights = executor.seenTasks.sights(
      asleep: clock.sleepingTasks.mapValues { start.duration(to: $0) })
    let runs = alive.filter { !$0.isBackground }
    self.init(
      runs: runs, background: alive.filter(\.isBackground),
      // Effects that end or start between the two questions are no reason to fall below zero.
      cancelled: max(0, store.effects.current - runs.count), isQuiet: store.isQuiet,
      untilDue: clock.sleepers.first.map { clock.now.duration(to: $0.due) },
      sights: Dictionary(
        uniqueKeysWithValues: alive.compactMap { run in
          sights[TaskOwner(run: run.number, of: store.effects)].map { (run.number, $0) }
        }))
  }

  /// What a run waits for, with what the executor and the clock know of it.
  func waits(of run: LiveEffect) -> [EffectWait] {
    guard let sight = sights[run.number] else { return run.waits }
    let waits = run.waits.filter { $0 != .outside } + sight.due.map(EffectWait.time)
    return sight.isOutside || waits.isEmpty ? waits + [.outside] : waits
  }

  /// Whether nothing more comes of a run before the test does something.
  private func isAsleep(_ run: LiveEffect) -> Bool {
    if let sight = sights[run.number] { return sight.isAsleep }
    // One that has no task has not begun.
    return !run.waits.contains(.outside) && !run.waits.contains(.sharedCall)
  }

  private var allWaits: [EffectWait] { (runs + background).flatMap { waits(of: $0) } }
}

extension Activity {
  /// Whether the store has nothing left to do.
  var isOver: Bool { runs.isEmpty && cancelled == 0 && isQuiet }

  /// Whether an action may still come although nothing on the executor can run: of an effect that
  /// waits for something that the library does not see, or of a thread of the test's.
  ///
  /// What was cancelled sends nothing more, and holds up nobody.
  var mayReceive: Bool { !isQuiet || !(runs + background).allSatisfy(isAsleep) }

  /// Whether an effect may still end although nothing on the executor can run.
  var mayEnd: Bool { mayReceive || cancelled > 0 }
}

extension Activity: CustomStringConvertible {
  /// How many effects are still running, and one line for each of them.
  var description: String {
    let alive = runs + background
    guard !alive.isEmpty || cancelled > 0 else {
      return "No effect is running, but a link of the chain or an item has not returned."
    }
    let total = alive.count + cancelled
    var lines = [total == 1 ? "1 effect is still running:" : "\(total) effects are still running:"]
    lines += alive.map { "  \(line($0))" }
    if cancelled == 1 { lines.append("  one that was cancelled, whose body has not returned") }
    if cancelled > 1 {
      lines.append("  \(cancelled) that were cancelled, whose bodies have not returned")
    }
    return lines.joined(separator: "\n")
  }

  /// Who it is, where it came from, how old it is, and what it waits for.
  func line(_ run: LiveEffect) -> String {
    let key = run.key.map { "key \($0), " } ?? ""
    let origin = run.origin.cause == .caller ? "send at \(run.origin.source)" : "\(run.origin)"
    let background = run.isBackground ? ", in the background" : ""
    let age = run.age > .zero ? ", \(run.age.inSeconds) s old" : ""
    let attempt = run.attempt > 1 ? ", attempt \(run.attempt)" : ""
    var waits = waits(of: run).map(\.description).joined(separator: " and ")
    if let sight = sights[run.number], sight.mayBeOutside, !sight.isOutside {
      waits += ", and a task that it made may wait for something outside the library"
    }
    let details = background + age + attempt
    return "‘\(run.name)’ (\(key)from \(origin))\(details)\(details.isEmpty ? "" : ",") \(waits)"
  }

  /// The runs, as a text speaks of them that has named them.
  var them: String { runs.count == 1 ? "it" : "them" }

  /// The call that cancels the runs.
  var cancelCall: String {
    guard let name = runs.first?.name, runs.allSatisfy({ $0.name == name }) else {
      return "`cancelEffects(.all)`"
    }
    return "`cancelEffects(.named(\"\(name)\"))`"
  }

  /// What to do so that those go on that wait for the library; nil if there are none.
  var wakingAdvice: String? {
    if let untilDue {
      return "Advance the clock: `await store.clock.advance(by: \(untilDue.literal))`."
    }
    for wait in allWaits {
      switch wait {
      case .action: return "Send the action that is waited for: `await store.send(…)`."
      case .condition: return "Send an action that makes the condition true: `await store.send(…)`."
      case .turn, .time, .sharedCall, .outside: break
      }
    }
    return nil
  }
}

extension Duration {
  /// The duration as it is written in Swift, in the largest unit of which it has a whole number.
  var literal: String {
    // Less than a nanosecond counts as one: to wait for less than is left would be in vain.
    let nanoseconds = (attoseconds + 999_999_999) / 1_000_000_000
    return switch nanoseconds {
    case let number where number % 1_000_000_000 == 0: ".seconds(\(number / 1_000_000_000))"
    case let number where number % 1_000_000 == 0: ".milliseconds(\(number / 1_000_000))"
    case let number where number % 1_000 == 0: ".microseconds(\(number / 1_000))"
    default: ".nanoseconds(\(nanoseconds))"
    }
  }
}
