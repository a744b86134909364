import Middleware
import SideEffects
import Store
import Synchronization

/// A program on its way: the store, those who use it, and what is known of its effects.
final class SoakRun: Sendable {
  let program: Program
  let violations = Violations()
  let tokens = RunTokens()
  /// Bodies, forks, contenders: what a run awaits before it has ended.
  let bodies = Census("bodies")
  /// What outlives the run that made it: calls that are shared, tasks that no cancel reaches.
  let outliving = Census("outliving tasks")
  /// What the store, its effects, its actions and its observers hold.
  let objects = Census("objects")
  private let lastID = Atomic<Int>(0)
  /// When somebody first had the answer to each call that is shared, as a number of `nextID()`.
  private let receipts = Mutex<[Int: Int]>([:])
  private let phase = Mutex("starting")
  private let storeBox = Mutex(WeakStore())

  private struct WeakStore {
    weak var store: Store<SoakState>?
  }

  init(_ program: Program) { self.program = program }

  /// A number that was not used yet.
  func nextID() -> Int { lastID.add(1, ordering: .relaxed).newValue }

  /// When somebody first had this answer; now, if nobody had.
  func firstReceipt(of answer: Int, now: Int) -> Int {
    receipts.withLock { receipts in
      let first = receipts[answer] ?? now
      receipts[answer] = first
      return first
    }
  }

  /// What it is at, for one who wonders why it does not end.
  var status: [String] {
    let counts = [bodies, outliving, objects].map { "\($0.alive) \($0.name)" }
    let phase = phase.withLock { $0 }
    return ["phase: \(phase)", "alive: \(counts.joined(separator: ", "))"] + violations.all
  }

  /// What the store says it is at; waits for the store's lock.
  var liveEffects: [String] {
    let store = storeBox.withLock { $0.store }
    return store?.liveEffects().map { "\($0)" } ?? ["the store is gone"]
  }

  private func enter(_ phase: String) { self.phase.withLock { $0 = phase } }

  /// Runs the program to its end, and returns when nothing of it is left.
  func run() async {
    var store: Store<SoakState>? = makeStore()
    storeBox.withLock { $0.store = store }
    let subscription = store?.subscribe(
      \.works, { [counted = Counted(in: objects)] _ in _ = counted })
    enter("working")
    if let store {
      if case .shutdown(let grace, whileWorking: true) = program.ending {
        async let working: Void = work(on: store)
        await store.shutdown(grace: grace)
        await working
      } else {
        await work(on: store)
      }
      enter("ending \(program.ending)")
      await end(store)
    }
    subscription?.cancel()
    store = nil
    enter("waiting for bodies")
    await bodies.waitUntilEmpty()
    enter("waiting for what outlives them")
    await outliving.waitUntilEmpty()
    enter("waiting for objects")
    // Nothing else holds them, so whatever leaks one is found by the watchdog.
    await objects.waitUntilEmpty()
  }

  private func end(_ store: Store<SoakState>) async {
    switch program.ending {
    case .drop: return
    case .idle:
      if program.hasHours { cancel(.all, by: store.cancelEffects) }
      await store.idle()
      if bodies.alive != 0 { violations.add("S16: idle, and \(bodies.alive) bodies are alive") }
    case .shutdown(let grace, _):
      await store.shutdown(grace: grace)
      let works = store.state.works
      store.dispatch(Work(id: nextID(), effect: 0, key: 0, ancestors: []))
      if store.state.works != works { violations.add("S16: reduced after the shutdown") }
    }
    let alive = store.liveEffects()
    if !alive.isEmpty { violations.add("E28: alive after the end: \(alive)") }
  }

  private func makeStore() -> Store<SoakState> {
    let items = program.effects.indices.map { index -> StateItem<SoakState> in
      let item = item(index)
      guard program.effects[index].isBound else { return StateItem(item) }
      return item.cancelled(unless: { (state: SoakState, key: Int) in
        !state.absent.contains(key)
      })
    }
    let answers = MiddlewareItem.on(Question.self) { _, dispatch in dispatch(Signal()) }
    return Store(
      initialState: SoakState(
        program: program, violations: violations, counted: Counted(in: objects)),
      reducer: SoakState.reducer,
      middleware: [createMiddleware(items: items + [StateItem(answers)])],
      diagnostics: { [violations] diagnostic in
        if diagnostic.severity == .programmingError { violations.add("\(diagnostic)") }
      })
  }
}
