import Store
import TestSupport

/// The store as the subject of programs.
enum StoreSubject {
  /// What a run left behind.
  struct Outcome {
    var entries: [EventLog.Entry]
    /// The state at the end, if the test kept the store.
    var order: [Int]?
    /// Whether all that the store held was released with it.
    var isReleased: Bool

    var history: [Event] { entries.map(\.event) }
  }

  /// Runs the program of one thread on the calling thread.
  static func runSequentially(_ program: Program) -> Outcome {
    let run = StoreRun(program)
    let released = start(run)
    run.perform(thread: 0)
    run.owners[0].value = nil
    run.forgetKept()
    let outcome = Outcome(entries: run.log.entries, order: nil, isReleased: released.isNow.value)
    run.dropTokens()
    return outcome
  }

  /// Runs each thread of the program on a thread of its own.
  static func run(_ program: Program) async -> Outcome {
    let run = StoreRun(program)
    let released = start(run)
    var store = program.isKept ? run.owners.first?.value : nil
    await runOnThreads(program.threads.count) { thread in
      run.perform(thread: thread)
      run.owners[thread].value = nil
    }
    run.forgetKept()
    for (step, handle) in run.handles.flatMap({ $0.exchange([]) }) {
      await handle.finish()
      run.log.record(.finished(step: step), lane: step)
    }
    await store?.idle()
    let entries = run.log.entries
    let order = store?.state.order
    store = nil
    // The task of an effect lets go of its body a moment after it has told the store of its end.
    let isReleased =
      program.isKept ? await runOnThread { released.gate.wait() } : released.isNow.value
    run.dropTokens()
    return Outcome(entries: entries, order: order, isReleased: isReleased)
  }

  private final class Released: Sendable {
    let isNow = Box(false)
    let gate = ThreadGate()
  }

  /// Gives every thread of the run a reference to one new store, all of whose parts hold on to what
  /// says when the last of them is released.
  private static func start(_ run: StoreRun) -> Released {
    let released = Released()
    let store = run.makeStore(
      probe: DeinitProbe {
        released.isNow.value = true
        released.gate.open()
      })
    run.laterStore.value = { [weak store] in store }
    for owner in run.owners { owner.value = store }
    return released
  }
}
