import SideEffects
import Store
import Synchronization

/// One run of an effect, from the beginning of its body to the end, as the soak knows it.
final class RunToken: Sendable {
  let work: Work
  /// What it is about; nil for a run without a key, as one that was spawned.
  let key: Int?
  let isSpawned: Bool
  let context: EffectContext
  /// Whether a call has returned that cancels it: nothing of it may be reduced any more.
  let isSilenced = Atomic<Bool>(false)
  private let counted: Counted

  init(_ work: Work, key: Int?, isSpawned: Bool, context: EffectContext, in census: Census) {
    self.work = work
    self.key = key
    self.isSpawned = isSpawned
    self.context = context
    counted = Counted(in: census)
  }

  func isHit(by target: Program.Target) -> Bool {
    switch target {
    case .all: true
    case .key(let key): self.key == key
    case .named(let effect): work.effect == effect
    case .namedKey(let effect, let key): work.effect == effect && self.key == key
    }
  }
}

/// The runs whose bodies have begun and not returned.
final class RunTokens: Sendable {
  private let tokens = Mutex<[ObjectIdentifier: RunToken]>([:])

  var all: [RunToken] { tokens.withLock { Array($0.values) } }

  /// Enters a run, and returns those that were there.
  func enter(_ token: RunToken) -> [RunToken] {
    tokens.withLock { tokens in
      defer { tokens[ObjectIdentifier(token)] = token }
      return Array(tokens.values)
    }
  }

  func leave(_ token: RunToken) {
    let removed = tokens.withLock { $0.removeValue(forKey: ObjectIdentifier(token)) }
    _ = consume removed
  }

  /// Makes a call that cancels; what it hits of what has begun is silent when it has returned.
  func silence(where isHit: (RunToken) -> Bool, by cancel: () -> Void) {
    let hit = all.filter(isHit)
    cancel()
    for token in hit { token.isSilenced.store(true, ordering: .releasing) }
  }
}
