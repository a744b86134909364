import Middleware
import SideEffects
import Store
import TestSupport
import Testing

/// Many effects at once and one after the other: what must stay flat is counted, not measured.
@Suite(.timeLimit(.minutes(5)))
struct EffectLoadTests {
  /// Counts the values of a kind that are alive, and the most there ever were.
  private final class Census: Sendable {
    private let counts = Lock((alive: 0, most: 0, empty: Gate?.none))

    var most: Int { counts.withLock { $0.most } }

    func enter() {
      counts.withLock { counts in
        counts.alive += 1
        counts.most = max(counts.most, counts.alive)
      }
    }

    func leave() {
      let empty = counts.withLock { counts in
        counts.alive -= 1
        return counts.alive == 0 ? counts.empty : nil
      }
      empty?.open()
    }

    /// Waits until none is alive; what leaks one runs into the time limit.
    ///
    /// The end of an effect is known a moment before its task is gone, and with it what it held.
    func waitUntilEmpty() async {
      let gate = counts.withLock { counts in
        guard counts.alive > 0 else { return nil as Gate? }
        let gate = counts.empty ?? Gate()
        counts.empty = gate
        return gate
      }
      await gate?.wait()
    }
  }

  /// A key that is counted for as long as anything remembers it.
  private final class Key: Hashable, Sendable {
    let number: Int
    private let census: Census

    init(_ number: Int, in census: Census) {
      self.number = number
      self.census = census
      census.enter()
    }

    deinit { census.leave() }

    static func == (first: Key, second: Key) -> Bool { first.number == second.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  private struct Work: Action {
    var key: Key
  }

  private static let many = scaled(100_000)

  private struct Count: Sendable {
    var works = 0
    var answers = 0
  }

  private func makeStore(_ items: MiddlewareItem...) -> Store<Count> {
    Store(
      initialState: Count(),
      reducer: .combine(
        .on(Work.self) { count, _ in count.works += 1 },
        .on(Answer.self) { count, _ in count.answers += 1 }),
      middleware: [createMiddleware(items: items)],
      diagnostics: { diagnostic in
        if diagnostic.severity > .notice { Issue.record("unexpected: \(diagnostic)") }
      })
  }

  @Test(arguments: [EffectPolicy.every, .latest])
  func `E4: 100,000 actions of one long effect, each starting a short one, leave nothing`(
    policy: EffectPolicy
  ) async {
    let census = Census()
    let store = makeStore(
      .effect(on: Begin.self) { _, effect in
        for number in 0..<Self.many {
          await effect.dispatch(Work(key: Key(number, in: census))).finish()
        }
      },
      .effect(on: Work.self, key: \.key, policy) { work, effect in
        if work.key.number.isMultiple(of: 100) { await Task.yield() }
        effect.dispatch(Answer())
      })
    await store.dispatch(Begin()).finish()
    await store.idle()
    #expect(store.state.works == Self.many)
    #expect(store.state.answers == Self.many)
    await census.waitUntilEmpty()
    #expect(census.most < 10)
  }

  @Test func `E8: 100,000 keys, each used once and cancelled, leave nothing`() async {
    let census = Census()
    let store = makeStore(
      .effect(on: Work.self, key: \.key, .latest) { _, _ in await Gate().wait() })
    for batch in 0..<Self.many / 1_000 {
      for number in 0..<1_000 {
        store.dispatch(Work(key: Key(batch * 1_000 + number, in: census)))
      }
      if batch.isMultiple(of: 2) {
        for number in 0..<1_000 {
          store.cancelEffects(.key(Key(batch * 1_000 + number, in: census)))
        }
      } else {
        store.cancelEffects(.all)
      }
      await store.idle()
    }
    await census.waitUntilEmpty()
  }

  @Test func `E32: 100,000 restarts under latest leave nothing, and the last one delivers`() async {
    struct Interrupted: Error {}
    let census = Census()
    let gate = Gate()
    let store = makeStore(
      .effect(on: Work.self, .latest) { work, effect in
        guard await gate.wait() else { throw Interrupted() }
        effect.dispatch(Answer())
      })
    for number in 0..<Self.many {
      store.dispatch(Work(key: Key(number, in: census)))
      // Lets the cancelled ones go, a few at a time.
      if number.isMultiple(of: 1_000) { await Task.yield() }
    }
    gate.open()
    await store.idle()
    #expect(store.state.answers == 1)
    await census.waitUntilEmpty()
  }

  @Test(arguments: [EffectPolicy.every, .latest])
  func `E11: of 10,000 effects on 100 keys with racing cancels, all end and nothing is left`(
    policy: EffectPolicy
  ) async {
    let census = Census()
    let endings = Recorder<Bool>()
    let store = makeStore(
      .effect(on: Work.self, key: \.key, policy) { work, effect in
        if work.key.number.isMultiple(of: 3) { await Task.yield() }
        effect.dispatch(Answer())
        endings.record(effect.isCancelled)
      })
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for number in 0..<2_500 {
            store.dispatch(Work(key: Key((number + worker) % 100, in: census)))
          }
        }
        group.addTask {
          for number in 0..<2_500 {
            let key = Key((number * 7 + worker) % 100, in: census)
            store.cancelEffects(.key(key))
            if number.isMultiple(of: 500) { store.cancelEffects(.all) }
          }
        }
      }
    }
    await store.idle()
    #expect(store.state.works == 10_000)
    #expect(store.state.answers <= endings.count)
    #expect(store.state.answers >= endings.values.count { !$0 })
    await census.waitUntilEmpty()
    // It works on as if nothing had been.
    let before = store.state.answers
    await store.dispatch(Work(key: Key(1, in: census))).finish()
    #expect(store.state.answers == before + 1)
  }
}
