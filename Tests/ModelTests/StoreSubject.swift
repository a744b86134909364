import Dispatch
import Store
import TestSupport

/// The store as the subject of programs.
enum StoreSubject {
  /// What a run left behind.
  struct Outcome {
    var entries: [EventLog.Entry]
    /// The state at the end, if the test kept the store.
    var order: [Int]?
    /// Whether the store came to rest, and `finish()` returned.
    var isIdle = true
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
    let outcome = Outcome(entries: run.log.entries, order: nil, isReleased: released.isOpen)
    run.dropTokens()
    return outcome
  }

  /// Runs each thread of the program on a thread of its own.
  ///
  /// - Parameters:
  ///   - program: the program.
  ///   - patience: how many seconds to wait for what takes less than one of them in a sound store.
  /// - Returns: what the run left behind.
  static func run(_ program: Program, patience: Double) async -> Outcome {
    let run = StoreRun(program)
    let released = start(run)
    let store = Box(program.isKept ? run.owners.first?.value : nil)
    await runOnThreads(program.threads.count) { thread in
      run.perform(thread: thread)
      run.owners[thread].value = nil
    }
    run.forgetKept()
    let isIdle = await happens(within: patience) {
      for (step, handle) in run.handles.flatMap({ $0.exchange([]) }) {
        await handle.finish()
        run.log.record(.finished(step: step), lane: step)
      }
      await store.value?.idle()
    }
    let entries = run.log.entries
    let order = store.exchange(nil)?.state.order
    // The task of an effect lets go of its body a moment after it has told the store of its end.
    var isReleased = released.isOpen
    if !isReleased, program.isKept {
      isReleased = await happens(within: patience) { await released.wait() }
    }
    run.dropTokens()
    return Outcome(entries: entries, order: order, isIdle: isIdle, isReleased: isReleased)
  }

  /// Gives every thread of the run a reference to one new store, all of whose parts hold on to what
  /// opens a gate when the last of them is released.
  private static func start(_ run: StoreRun) -> Gate {
    let released = Gate()
    let store = run.makeStore(probe: DeinitProbe { released.open() })
    run.laterStore.value = { [weak store] in store }
    for owner in run.owners { owner.value = store }
    return released
  }

  /// Waits for something, so that a store in which it never happens fails the test with its
  /// program.
  private static func happens(
    within seconds: Double, _ event: @escaping @Sendable () async -> Void
  ) async -> Bool {
    let happened = DispatchSemaphore(value: 0)
    let task = Task {
      await event()
      happened.signal()
    }
    defer { task.cancel() }
    return await runOnThread { happened.wait(timeout: .now() + seconds) == .success }
  }
}
