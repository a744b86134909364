import TestSupport

extension Program {
  /// Makes the program of a seed for one thread, whose history is determined.
  static func sequential(seed: UInt64) -> Program {
    var maker = ProgramMaker(seed: seed, threadCount: 1, budget: 40)
    var program = maker.makeSurroundings()
    program.threads = [maker.makeOperations(in: .thread, depth: 0, atMost: 12)]
    return program
  }

  /// Makes the program of a seed for two to eight threads.
  static func threaded(seed: UInt64) -> Program {
    var random = SplitMix64(seed: ~seed)
    let threadCount = Int.random(in: 2...8, using: &random)
    var maker = ProgramMaker(seed: seed, threadCount: threadCount, budget: 16 * threadCount)
    maker.suspends = Bool.random(using: &random)
    var program = maker.makeSurroundings()
    // Effects that go on elsewhere need somebody who waits for them.
    program.isKept = maker.suspends || Bool.random(using: &random)
    for thread in 0..<threadCount {
      maker.budget = 16 * (thread + 1) - maker.made
      program.threads.append(maker.makeOperations(in: .thread, depth: 0, atMost: 12))
    }
    return program
  }
}

/// Makes operations at random, each with a number of its own where it needs one.
private struct ProgramMaker {
  enum Place { case thread, observer, link, item, effect }

  private var random: SplitMix64
  private let threadCount: Int
  private var followers: [Program.Follower] = []
  private var linkCount = 0
  private var steps = 0
  private var observers = 0
  private var slots = 0
  var budget: Int
  private(set) var made = 0
  var suspends = false

  init(seed: UInt64, threadCount: Int, budget: Int) {
    random = SplitMix64(seed: seed)
    self.threadCount = threadCount
    self.budget = budget
  }

  mutating func makeSurroundings() -> Program {
    linkCount = max(0, number(-1...3))
    followers = (0..<number(0...4)).map { _ in
      Program.Follower(kind: kind(), isEffect: chance(50))
    }
    return Program(linkCount: linkCount, followers: followers)
  }

  mutating func makeOperations(in place: Place, depth: Int, atMost limit: Int) -> [Operation] {
    var operations: [Operation] = []
    let count = depth == 0 ? limit : number(0...limit)
    while operations.count < count, budget > 0 {
      budget -= 1
      made += 1
      operations.append(makeOperation(in: place, depth: depth))
    }
    return operations
  }

  private mutating func makeOperation(in place: Place, depth: Int) -> Operation {
    switch number(0..<100) {
    case 0..<18 where observers < 12:
      observers += 1
      return .subscribe(observers - 1, selection(), initial: chance(60))
    case 18..<26 where observers > 0: return .cancel(number(0..<observers))
    case 26..<32 where observers > 0: return .drop(number(0..<observers))
    case 32..<36: return .read
    case 36..<48 where place == .link || place == .item:
      slots += 1
      return .keep(slots - 1)
    case 48..<56 where slots > 0: return .send(number(0..<slots), makeStep(depth: depth))
    case 56..<58: return .release(thread: number(0..<threadCount))
    default: return .dispatch(makeStep(depth: depth))
    }
  }

  private mutating func makeStep(depth: Int) -> Step {
    steps += 1
    var step = Step(id: steps - 1, kind: kind())
    guard depth < 4 else { return step }
    for _ in 0..<linkCount {
      var plan = LinkPlan()
      if chance(20) { plan.before = nested(in: .link, depth) }
      plan.decision = decision()
      if chance(20) { plan.after = nested(in: .link, depth) }
      step.links.append(plan)
    }
    if chance(30) {
      step.sight = Sight(turn: number(1...3), operations: nested(in: .observer, depth))
    }
    for follower in followers {
      var plan = FollowerPlan()
      if follower.kind == step.kind, chance(50) {
        plan.suspends = follower.isEffect && suspends && chance(50)
        plan.operations = nested(in: follower.isEffect ? .effect : .item, depth)
      }
      step.followers.append(plan)
    }
    return step
  }

  private mutating func nested(in place: Place, _ depth: Int) -> [Operation] {
    makeOperations(in: place, depth: depth + 1, atMost: 3)
  }

  private mutating func decision() -> LinkPlan.Decision {
    switch number(0..<20) {
    case 0: .swallow
    case 1: .passTwice
    case 2: .replace(kind())
    case 3..<6: .passReading
    default: .pass
    }
  }

  private mutating func selection() -> Selection {
    switch number(0..<8) {
    case 0..<2: .whole
    case 2: .half
    case 3: .parity
    case 4: .constant
    default: .last([.red, .green, .blue][number(0..<3)])
    }
  }

  private mutating func kind() -> Kind { Kind.allCases[number(0..<Kind.allCases.count)] }

  private mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }

  private mutating func number(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &random)
  }
}
