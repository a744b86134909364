/// What a store promises to one thread, written as simply as it can be said.
///
/// It runs a program and answers its history. Effects are as synchronous here as the programs that
/// are made for one thread have them.
struct ReferenceModel {
  private struct Observer {
    let number: Int
    let selection: Selection
    var last: Mark
    var isOff = false
  }

  private enum Work {
    case tell(observer: Int, Mark)
    case follow(Int, Step)
  }

  private enum Kept {
    case next(link: Int, dispatch: UInt64)
    case dispatch
  }

  private enum Place {
    case thread, observer, item, effect
    case link(Int, dispatch: UInt64)
  }

  private(set) var history: [Event] = []
  private let program: Program
  private var tally = Tally()
  private var dispatches: UInt64 = 0
  private var commits: UInt64 = 0
  private var observers: [Observer] = []
  private var tokens: Set<Int> = []
  private var kept: [Int: Kept] = [:]
  private var sights: [Int: Int] = [:]
  private var queue: [Work] = []
  private var isDraining = false
  private var openChains = 0
  /// How many calls into the store are on the stack; they keep it.
  private var calls = 0
  private var isHeld = true

  init(_ program: Program) {
    self.program = program
    for operations in program.threads { perform(operations, in: .thread) }
  }

  private var isAlive: Bool { isHeld || calls > 0 }

  private mutating func perform(_ operations: [Operation], in place: Place) {
    for operation in operations { perform(operation, in: place) }
  }

  private mutating func perform(_ operation: Operation, in place: Place) {
    var isReachable = isAlive
    if case .thread = place { isReachable = isHeld }
    switch operation {
    case .dispatch(let step):
      guard isReachable else { return }
      history.append(.dispatched(step: step.id))
      dispatches += 1
      call { $0.runChain(step, kind: step.kind, from: 0, dispatch: $0.dispatches) }
      history.append(.returned(step: step.id, count: tally.order.count))
    case .subscribe(let number, let selection, let initial):
      guard isReachable, !observers.contains(where: { $0.number == number }) else { return }
      history.append(.subscribing(observer: number))
      let mark = tally.mark(selection)
      observers.append(Observer(number: number, selection: selection, last: mark))
      if initial { queue.append(.tell(observer: number, mark)) }
      call { $0.drain() }
      tokens.insert(number)
      history.append(.subscribed(observer: number))
    case .cancel(let number): cancel(number, in: place)
    case .drop(let number):
      cancel(number, in: place)
      tokens.remove(number)
    case .read: history.append(.read(count: isReachable ? tally.order.count : nil))
    case .keep(let slot):
      if case .link(let index, let dispatch) = place {
        kept[slot] = .next(link: index, dispatch: dispatch)
      } else if case .item = place {
        kept[slot] = .dispatch
      }
    case .send(let slot, let step): send(step, to: kept[slot])
    case .release: isHeld = false
    }
  }

  private mutating func cancel(_ number: Int, in place: Place) {
    guard tokens.contains(number) else { return }
    for index in observers.indices where observers[index].number == number {
      observers[index].isOff = true
    }
    history.append(.cancelled(observer: number, inFollowUp: isDraining && openChains == 0))
  }

  private mutating func send(_ step: Step, to kept: Kept?) {
    guard let kept else { return }
    history.append(.sent(step: step.id))
    if isAlive {
      switch kept {
      case .next(let link, let dispatch):
        call { $0.runChain(step, kind: step.kind, from: link + 1, dispatch: dispatch) }
      case .dispatch:
        dispatches += 1
        call { $0.runChain(step, kind: step.kind, from: 0, dispatch: $0.dispatches) }
      }
    }
    history.append(.resumed(step: step.id))
  }

  private mutating func call(_ body: (inout ReferenceModel) -> Void) {
    calls += 1
    body(&self)
    calls -= 1
  }

  private mutating func runChain(_ step: Step, kind: Kind, from index: Int, dispatch: UInt64) {
    openChains += 1
    _ = pass(step, kind: kind, to: index, dispatch: dispatch)
    openChains -= 1
    drain()
  }

  /// Passes an action to a link, or to the reducer after the last; answers its commit, if it has
  /// one.
  private mutating func pass(
    _ step: Step, kind: Kind, to index: Int, dispatch: UInt64
  ) -> (commit: UInt64?, count: Int) {
    guard index < program.linkCount else { return (commit(step, kind: kind), tally.order.count) }
    let plan = step.plan(forLink: index)
    let place = Place.link(index, dispatch: dispatch)
    history.append(.entered(link: index, step: step.id, dispatch: dispatch))
    perform(plan.before, in: place)
    var passed: (commit: UInt64?, count: Int) = (nil, 0)
    for kind in plan.decision.kinds(for: kind) {
      passed = pass(step, kind: kind, to: index + 1, dispatch: dispatch)
      let isRead = plan.decision == .passReading && passed.commit != nil
      history.append(
        .passed(
          link: index, step: step.id, commit: passed.commit, count: isRead ? passed.count : nil))
    }
    perform(plan.after, in: place)
    history.append(.left(link: index, step: step.id))
    return passed
  }

  private mutating func commit(_ step: Step, kind: Kind) -> UInt64 {
    commits += 1
    if kind != .unheard {
      tally.add(step.id, kind: kind)
      history.append(.reduced(step: step.id, kind: kind))
      for index in observers.indices where !observers[index].isOff {
        let mark = tally.mark(observers[index].selection)
        guard mark != observers[index].last else { continue }
        observers[index].last = mark
        queue.append(.tell(observer: observers[index].number, mark))
      }
    }
    for (index, follower) in program.followers.enumerated() where follower.kind == kind {
      queue.append(.follow(index, step))
    }
    return commits
  }

  private mutating func drain() {
    guard !isDraining, openChains == 0 else { return }
    isDraining = true
    while !queue.isEmpty {
      switch queue.removeFirst() {
      case .tell(let observer, let mark): tell(observer, mark)
      case .follow(let index, let step):
        history.append(.followed(follower: index, step: step.id))
        let operations = step.plan(forFollower: index).operations
        perform(operations, in: program.followers[index].isEffect ? .effect : .item)
        history.append(.followedEnded(follower: index, step: step.id))
      }
    }
    isDraining = false
  }

  private mutating func tell(_ observer: Int, _ mark: Mark) {
    guard observers.contains(where: { $0.number == observer && !$0.isOff }) else { return }
    history.append(.told(observer: observer, mark))
    sights[mark.step, default: 0] += 1
    if let sight = program.steps[mark.step]?.sight, sight.turn == sights[mark.step] {
      perform(sight.operations, in: .observer)
    }
    history.append(.toldEnded(observer: observer))
  }
}

extension LinkPlan.Decision {
  /// The kinds of action that a link passes on when it is given one of `kind`.
  func kinds(for kind: Kind) -> [Kind] {
    switch self {
    case .pass, .passReading: [kind]
    case .passTwice: [kind, kind]
    case .swallow: []
    case .replace(let other): [other]
    }
  }
}
