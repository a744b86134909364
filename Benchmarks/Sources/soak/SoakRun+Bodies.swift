import Middleware
import SideEffects
import Store

extension SoakRun {
  /// The effect of a number.
  func item(_ index: Int) -> MiddlewareItem {
    let plan = program.effects[index]
    let key: @Sendable (Work) -> any Hashable & Sendable = { $0.key }
    return .effect(
      on: Work.self, for: { $0.effect == index ? $0 : nil }, key: plan.isKeyed ? key : nil,
      plan.policy, name: Program.names[index]
    ) { [self, counted = Counted(in: objects)] work, effect in
      _ = counted
      let token = RunToken(
        work, key: plan.isKeyed ? work.key : nil, isSpawned: false, context: effect, in: objects)
      try await perform(plan.bodies[work.id % plan.bodies.count], by: token)
    }
  }

  /// Does what a run does, from its beginning to its end.
  private func perform(_ steps: [Program.Step], by token: RunToken) async throws {
    bodies.enter()
    defer { bodies.leave() }
    let others = tokens.enter(token)
    defer { tokens.leave(token) }
    if let limit = program.effects[token.work.effect].limit, !token.isSpawned {
      // Those that were cancelled have given way, though they are on their way to their ends.
      let rivals = others.filter { other in
        !other.isSpawned && other.work.effect == token.work.effect && other.key == token.key
          && !other.context.isCancelled
      }
      if rivals.count >= limit {
        violations.add("E15: \(rivals.count + 1) runs at once, of at most \(limit): \(token.work)")
      }
    }
    try await take(steps, by: token)
  }

  private func take(_ steps: [Program.Step], by token: RunToken) async throws {
    for step in steps { try await take(step, by: token) }
  }

  private func takePart(_ steps: [Program.Step], by token: RunToken) async throws {
    bodies.enter()
    defer { bodies.leave() }
    try await take(steps, by: token)
  }

  private func take(_ step: Program.Step, by token: RunToken) async throws {
    let effect = token.context
    switch step {
    case .sleep(let time): try await effect.sleep(for: time)
    case .yield: await Task.yield()
    case .note: effect.dispatch(Note(token: token))
    case .start(let number, let key, let isAwaited):
      // So that there is an end to it.
      guard token.work.ancestors.count < 2 else { return }
      let handle = effect.dispatch(
        Work(
          id: nextID(), effect: number, key: key,
          ancestors: token.work.ancestors + [token.work.id]))
      // One that waits for itself is told so, and goes on.
      if isAwaited { await handle.finish() }
    case .take(let timeout): _ = try await effect.take(Signal.self, timeout: timeout)
    case .ask: _ = try await effect.take(Signal.self, after: Question())
    case .race(let contenders): try await race(contenders, by: token)
    case .fork(let steps, let isCancelled):
      let fork = effect.fork { [self] _ in try await takePart(steps, by: token) }
      if isCancelled { fork.cancel() }
    case .spawn(let steps):
      effect.spawn { [self] effect in
        let own = RunToken(token.work, key: nil, isSpawned: true, context: effect, in: objects)
        try await perform(steps, by: own)
      }
    case .retry(let times, let failures, let delay):
      try await retry(times: times, failures: failures, delay: delay, by: token)
    case .share(let isForced, let time):
      try await share(forced: isForced, time: time, by: token)
    case .poll(let times, let interval):
      var count = 0
      try await effect.poll(every: interval) {
        count += 1
        return count < times ? .again : .done
      }
      if count != times { violations.add("E27: polled \(count) times, not \(times)") }
    case .timeout(let limit, let steps):
      do {
        try await effect.timeout(after: limit) { [self] in try await takePart(steps, by: token) }
      } catch is EffectTimedOut {}
    case .ignoreCancellation(let time):
      outliving.enter()
      await Task.detached { [outliving] in
        // Nobody cancels it.
        try? await TimerClock().sleep(for: time)
        outliving.leave()
      }.value
    case .cancel(let target): cancel(target, by: effect.cancelEffects)
    case .fail: throw Expected()
    }
  }

  private func race(_ contenders: [[Program.Step]], by token: RunToken) async throws {
    let calls = contenders.enumerated().map { index, steps in
      { @Sendable [self] in
        try await takePart(steps, by: token)
        return index
      }
    }
    let winner =
      if calls.count == 2 {
        try await token.context.race(calls[0], calls[1])
      } else {
        try await token.context.race(calls[0], calls[1], calls[2])
      }
    if !contenders.indices.contains(winner) { violations.add("E20: \(winner) won a race") }
  }

  private func retry(
    times: Int, failures: Int, delay: Duration, by token: RunToken
  ) async throws {
    var calls = 0
    do {
      try await token.context.retry(.constant(delay, attempts: times + 1)) {
        calls += 1
        if calls <= failures { throw Expected() }
        await Task.yield()
      }
      if calls != failures + 1 { violations.add("E21: \(calls) calls, \(failures) failures") }
    } catch is Expected {
      if calls != times + 1 { violations.add("E21: \(calls) calls with \(times) retries") }
      throw Expected()
    }
  }

  private func share(forced isForced: Bool, time: Duration, by token: RunToken) async throws {
    let effect = token.context
    let asked = nextID()
    let answer = try await effect.share(forced: isForced) { [self] in
      outliving.enter()
      defer { outliving.leave() }
      await Task.yield()
      try await effect.sleep(for: time)
      return nextID()
    }
    if firstReceipt(of: answer, now: nextID()) < asked {
      violations.add("E25: the answer \(answer) was there before it was asked for")
    }
    effect.dispatch(Note(token: token))
  }

  /// Cancels effects by a call that is the store's or that of a body.
  func cancel(_ target: Program.Target, by cancel: (EffectSelection) -> Void) {
    tokens.silence(where: { $0.isHit(by: target) }) {
      switch target {
      case .all: cancel(.all)
      case .key(let key): cancel(.key(key))
      case .named(let effect): cancel(.named(EffectName(Program.names[effect])))
      case .namedKey(let effect, let key):
        cancel(.named(EffectName(Program.names[effect]), key: key))
      }
    }
  }
}
