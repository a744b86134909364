public import Middleware
public import Store

/// What an effect does: async work with what started it, that may dispatch, throw and be cancelled.
///
/// It begins on the thread that does the follow-up, which is often the one that dispatched, and
/// stays there until it first suspends; a `@concurrent` function may, or may not. Work that takes
/// long before it suspends holds up all follow-up of the store: begin it with `await Task.yield()`,
/// after which the body is on the global executor.
public typealias EffectBody<Payload> =
  @Sendable (_ payload: Payload, _ effect: EffectContext) async throws -> Void

extension MiddlewareItem {
  /// Creates an effect that runs after each action of exactly one type.
  ///
  /// ```swift
  /// func savePost(store: any PostStore) -> MiddlewareItem {
  ///   .effect(on: PostEdited.self, key: \.postID, .latest) { edited, effect in
  ///     try await store.save(edited.text, as: edited.postID)
  ///     effect.dispatch(PostSaved(postID: edited.postID))
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type of the actions.
  ///   - key: what a run is about, so that the policy is applied to each key by itself. Without it
  ///     all runs of the effect are about the same thing.
  ///   - policy: what happens when the action comes again meanwhile.
  ///   - name: the name in logs and diagnostics, and to cancel by; that of the calling function
  ///     unless given.
  ///   - body: the work. It starts in the turn of its action, after the observers were told, and
  ///     runs synchronously up to its first suspension. An error it throws is sent as
  ///     ``EffectFailed``.
  /// - Returns: the effect as an item for `createMiddleware(items:)`.
  @inlinable
  public static func effect<A: Action>(
    on type: A.Type, key: (@Sendable (A) -> any Hashable & Sendable)? = nil,
    _ policy: EffectPolicy = .every, name: StaticString = #function, _ body: @escaping EffectBody<A>
  ) -> MiddlewareItem {
    effect(on: type, for: { $0 }, key: key, policy, name: name, body)
  }

  /// Creates an effect that runs after those actions of one type for which there is a payload.
  ///
  /// ```swift
  /// .effect(on: CreatePost.self, for: \.input) { draft, effect in … }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type of the actions.
  ///   - payload: picks the case that starts the effect, and what it carries. An action for which
  ///     this is nil neither starts nor cancels anything. Pure, and called before the store is
  ///     locked.
  ///   - key: what a run is about, read from the payload.
  ///   - policy: what happens when the action comes again meanwhile.
  ///   - name: the name in logs and diagnostics, and to cancel by; that of the calling function
  ///     unless given.
  ///   - body: the work, as with ``effect(on:key:_:name:_:)``.
  /// - Returns: the effect as an item for `createMiddleware(items:)`.
  @inlinable
  public static func effect<A: Action, Payload: Sendable>(
    on type: A.Type, for payload: @escaping @Sendable (A) -> Payload?,
    key: (@Sendable (Payload) -> any Hashable & Sendable)? = nil,
    _ policy: EffectPolicy = .every, name: StaticString = #function,
    _ body: @escaping EffectBody<Payload>
  ) -> MiddlewareItem {
    effect(EffectName(name), policy) { candidate in
      guard candidate == type else { return nil }
      return { action, origin, runner in
        guard let action = action.exactly(type), let payload = payload(action) else { return nil }
        return EffectRun(
          of: runner, origin: origin, key: key.map { EffectKey($0(payload)) }, payload: payload,
          body: body)
      }
    }
  }

  /// Creates an effect of what says how to follow actions of each type.
  @usableFromInline
  static func effect(
    _ name: EffectName, _ policy: EffectPolicy,
    match: @escaping @Sendable (any Action.Type) -> EffectMatch?
  ) -> MiddlewareItem {
    MiddlewareItem { store in
      EffectRunner(store: store, name: name, policy: policy, match: match)
    }
  }

  /// Creates an effect that runs after exactly this action.
  ///
  /// ```swift
  /// .effect(on: Counter.load, .latest) { effect in
  ///   effect.dispatch(Counter.loaded(try await service.count()))
  /// }
  /// ```
  @inlinable
  public static func effect<A: Action & Equatable>(
    on action: A, _ policy: EffectPolicy = .every, name: StaticString = #function,
    _ body: @escaping @Sendable (_ effect: EffectContext) async throws -> Void
  ) -> MiddlewareItem {
    effect(on: A.self, for: { $0 == action ? () : nil }, policy, name: name) { (_: Void, effect) in
      try await body(effect)
    }
  }
}
