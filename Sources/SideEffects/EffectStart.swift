public import Store

/// What one action makes an effect do.
@usableFromInline
struct EffectStart: Sendable {
  @usableFromInline typealias Body = @Sendable (EffectContext) async throws -> Void

  /// Decides whether one action starts a run, and of what: pure, and asked before the store is
  /// locked.
  @usableFromInline typealias Match = @Sendable (any Action) -> EffectStart?

  let key: (any Hashable & Sendable)?
  let body: Body

  @usableFromInline
  init(key: (any Hashable & Sendable)?, body: @escaping Body) {
    (self.key, self.body) = (key, body)
  }
}
