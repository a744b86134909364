import Middleware
import SideEffects
import Store
import Synchronization
import TestSupport

/// One run of a program on a store.
final class StoreRun: Sendable {
  /// The way back to the store from wherever an operation is done, and what can be kept of it.
  struct Place: Sendable {
    /// Sends an action and counts those in the state; nil if the store cannot be reached.
    var access: @Sendable () -> Access?
    var store: @Sendable () -> Store<Tally>?
    var kept: Kept?
    /// Whether this is done by the thread that follows up, as a part of that.
    var isFollowUp = false
    /// Where the handles go of what is dispatched here, if they are kept.
    var handles: Box<[(step: Int, handle: DispatchHandle)]>?
  }

  struct Access {
    var send: (any Action) -> DispatchHandle
    var count: () -> Int?
  }

  enum Kept: Sendable {
    case next(Next<Tally>)
    case dispatch(DispatchFunction)
  }

  private final class Counter: Sendable {
    let value = Atomic<Int>(0)
  }

  let program: Program
  let log = EventLog()
  private let steps: [Int: Step]
  private let sights: [Int: Counter]
  /// What was kept; nil once nothing more is to be kept.
  private let kept = TestLock<[Int: Kept]?>([:])
  private let tokens = TestLock<[Int: StoreSubscription]>([:])
  private let subscribed = TestLock<Set<Int>>([])
  let owners: [Box<Store<Tally>?>]
  let handles: [Box<[(step: Int, handle: DispatchHandle)]>]
  let laterStore = Box<@Sendable () -> Store<Tally>?>({ nil })

  init(_ program: Program) {
    self.program = program
    steps = program.steps
    sights = steps.mapValues { _ in Counter() }
    owners = program.threads.map { _ in Box(nil) }
    handles = program.threads.map { _ in Box([]) }
  }

  /// Does what a thread of the program does.
  func perform(thread: Int) {
    let owner = owners[thread]
    perform(
      program.threads[thread],
      in: Place(
        access: { owner.value.map(Access.init) }, store: { owner.value },
        handles: program.isKept ? handles[thread] : nil))
  }

  func perform(_ operations: [Operation], in place: Place) {
    for operation in operations { perform(operation, in: place) }
  }

  private func perform(_ operation: Operation, in place: Place) {
    switch operation {
    case .dispatch(let step): dispatch(step, in: place)
    case .subscribe(let observer, let selection, let initial):
      guard let store = place.store() else { return }
      subscribe(observer, to: selection, initial: initial, of: store)
    case .cancel(let observer):
      guard let token = tokens.withLock({ $0[observer] }) else { return }
      token.cancel()
      log.record(.cancelled(observer: observer, inFollowUp: place.isFollowUp), lane: observer)
    case .drop(let observer):
      guard var token = tokens.withLock({ $0.removeValue(forKey: observer) }) else { return }
      let ends = isKnownUniquelyReferenced(&token)
      _ = consume token
      log.record(
        ends
          ? .cancelled(observer: observer, inFollowUp: place.isFollowUp)
          : .dropped(observer: observer), lane: observer)
    case .read: log.record(.read(count: place.access()?.count()), lane: 0)
    case .keep(let slot):
      guard let way = place.kept else { return }
      kept.withLock { $0?[slot] = way }
    case .send(let slot, let step):
      guard let way = kept.withLock({ $0?[slot] }) else { return }
      log.record(.sent(step: step.id), lane: step.id)
      switch way {
      case .next(let next): next(step.action(step.kind))
      case .dispatch(let dispatch): dispatch(step.action(step.kind))
      }
      log.record(.resumed(step: step.id), lane: step.id)
    case .release(let thread):
      if thread < owners.count { owners[thread].exchange(nil) }
    }
  }

  private func dispatch(_ step: Step, in place: Place) {
    guard let access = place.access() else { return }
    log.record(.dispatched(step: step.id), lane: step.id)
    let handle = access.send(step.action(step.kind))
    log.record(.returned(step: step.id, count: access.count()), lane: step.id)
    if let handles = place.handles { handles.value += [(step.id, handle)] }
  }

  private func subscribe(
    _ observer: Int, to selection: Selection, initial: Bool, of store: Store<Tally>
  ) {
    guard subscribed.withLock({ $0.insert(observer).inserted }) else { return }
    log.record(.subscribing(observer: observer), lane: observer)
    let place = Place(
      access: { [weak store] in store.map(Access.init) }, store: { [weak store] in store },
      isFollowUp: true)
    let tell: @Sendable (Mark) -> Void = { self.tell(observer, $0, in: place) }
    let token =
      switch selection {
      case .whole: store.subscribe(initial: initial) { tell($0.mark(.whole)) }
      default: store.subscribe({ $0.mark(selection) }, initial: initial, tell)
      }
    tokens.withLock { $0[observer] = token }
    log.record(.subscribed(observer: observer), lane: observer)
  }

  private func tell(_ observer: Int, _ mark: Mark, in place: Place) {
    log.record(.told(observer: observer, mark), lane: observer)
    let times = sights[mark.step]?.value.add(1, ordering: .relaxed).newValue
    if let sight = steps[mark.step]?.sight, sight.turn == times {
      perform(sight.operations, in: place)
    }
    log.record(.toldEnded(observer: observer), lane: observer)
  }

  /// Drops what was kept and keeps nothing more, so that what has ended counts as finished.
  func forgetKept() {
    let dropped = kept.withLock { kept in
      defer { kept = nil }
      return kept
    }
    _ = consume dropped
  }

  /// Drops the tokens that are left.
  func dropTokens() {
    let dropped = tokens.withLock { tokens in
      defer { tokens = [:] }
      return tokens
    }
    _ = consume dropped
  }
}

extension StoreRun.Access {
  init(_ store: Store<Tally>) {
    self.init(send: { store.dispatch($0) }, count: { store.state.order.count })
  }
}
