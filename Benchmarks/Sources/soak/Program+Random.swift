import SideEffects

extension Program {
  /// The names of effects, in their order.
  static let names: [StaticString] = [
    "first", "second", "third", "fourth", "fifth", "sixth",
  ]

  /// Draws a program.
  init(seed: UInt64) {
    var draw = Draw(seed: seed)
    self.seed = seed
    hasHours = draw.hasHours
    effects = (0..<draw.effectCount).map { _ in draw.effect() }
    workers = (0..<draw.number(2...4)).map { index in
      Worker(
        isThread: index.isMultiple(of: 2),
        operations: (0..<draw.number(10...80)).map { _ in draw.operation() })
    }
    ending = draw.ending()
  }
}

/// Draws the parts of a program, each from what comes before.
private struct Draw {
  private var numbers: SplitMix64
  let effectCount: Int
  let hasHours: Bool

  init(seed: UInt64) {
    numbers = SplitMix64(seed: seed)
    hasHours = Int.random(in: 1...3, using: &numbers) == 1
    effectCount = Int.random(in: 2...Program.names.count, using: &numbers)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &numbers) }

  private mutating func chance(_ part: Int, of whole: Int) -> Bool { number(1...whole) <= part }

  private mutating func time(upTo microseconds: Int) -> Duration {
    .microseconds(number(0...microseconds))
  }

  private mutating func effectNumber() -> Int { number(0...effectCount - 1) }

  private mutating func key() -> Int { number(0...3) }

  mutating func effect() -> Program.EffectPlan {
    var (limit, isLatest) = (Int?.some(1), false)
    let policy: EffectPolicy
    switch number(0...9) {
    case 0, 1:
      policy = .every
      limit = nil
    case 2, 3, 4:
      policy = .latest
      isLatest = true
    case 5: policy = .leading
    case 6: policy = .keepLatest
    case 7:
      let atOnce = number(1...3)
      limit = atOnce
      policy = .queue(
        limit: atOnce, capacity: chance(1, of: 2) ? .max : number(0...3),
        overflow: [.dropOldest, .dropNewest, .fail][number(0...2)])
    case 8:
      policy = .debounce(for: time(upTo: 1_000), maxWait: chance(1, of: 2) ? .milliseconds(2) : nil)
    default:
      policy = .throttle(
        for: time(upTo: 1_000), edges: [.leading, .trailing, .both][number(0...2)])
      limit = nil
    }
    return Program.EffectPlan(
      policy: policy, limit: limit, isLatest: isLatest, isKeyed: chance(3, of: 4),
      isBound: chance(1, of: 4), bodies: (0..<number(1...3)).map { _ in body(depth: 0) })
  }

  private mutating func body(depth: Int) -> [Program.Step] {
    (0..<number(1...(depth == 0 ? 5 : 2))).map { _ in step(depth: depth) }
  }

  private mutating func step(depth: Int) -> Program.Step {
    // Those beyond the first ten hold others; what is inside of them holds none.
    switch number(0...(depth == 0 ? 16 : 9)) {
    case 0: .sleep(time(upTo: 2_000))
    case 1: .yield
    case 2, 3, 4: .note
    case 5: .start(effect: effectNumber(), key: key(), awaited: !hasHours && chance(1, of: 4))
    case 6: .take(timeout: time(upTo: 1_000))
    case 7: chance(1, of: 2) ? .ask : .poll(times: number(1...3), every: time(upTo: 300))
    case 8: .ignoreCancellation(time(upTo: 1_000))
    case 9:
      switch number(0...3) {
      case 0: .fail
      case 1: .cancel(target())
      case 2: hasHours ? .sleep(.seconds(3_600)) : .yield
      default: .sleep(.zero)
      }
    case 10: .race((0..<number(2...3)).map { _ in body(depth: 1) })
    case 11: .fork(body(depth: 1), isCancelled: chance(1, of: 3))
    case 12: .spawn(body(depth: 1))
    case 13: .retry(times: number(0...3), failures: number(0...4), delay: time(upTo: 500))
    case 14: .timeout(time(upTo: 1_500), body(depth: 1))
    default: .share(forced: chance(1, of: 3), time(upTo: 1_000))
    }
  }

  private mutating func target() -> Program.Target {
    switch number(0...9) {
    case 0...3: .key(key())
    case 4...5: .named(effectNumber())
    case 6...8: .namedKey(effectNumber(), key())
    default: .all
    }
  }

  mutating func operation() -> Program.Operation {
    switch number(0...19) {
    case 0...9: .dispatch(effect: effectNumber(), key: key())
    case 10, 11: .cancel(target())
    case 12: .cancelHandle(number(0...3))
    case 13: hasHours ? .pause : .finish(number(0...3))
    case 14: .remove(key: key())
    case 15, 16: .signal
    case 17: .inspect
    default: .pause
    }
  }

  mutating func ending() -> Program.Ending {
    switch number(0...5) {
    case 0, 1: .idle
    case 2, 3: .drop
    default:
      .shutdown(grace: chance(1, of: 2) ? .zero : time(upTo: 5_000), whileWorking: chance(1, of: 2))
    }
  }
}
