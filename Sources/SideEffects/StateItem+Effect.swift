public import Middleware
public import Store

extension StateItem {
  /// What an effect does that reads a part of the state.
  public typealias EffectBody<Payload, Value> =
    @Sendable (_ payload: Payload, _ effect: EffectContext, _ state: StateReader<Value>)
    async throws -> Void

  /// Creates an effect that runs after each action of exactly one type and reads a part of the
  /// state.
  ///
  /// ```swift
  /// func refreshWhenOpened(dataService: any DataService) -> StateItem<AppState> {
  ///   .effect(on: PostOpened.self, reading: \.posts.values) { opened, effect, posts in
  ///     guard let posts = posts(), !posts.contains(where: { $0.id == opened.postID }) else { return }
  ///     effect.dispatch(FetchPosts.request)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type of the actions.
  ///   - selector: reads the part; the body calls the reader for what it is at that moment. It
  ///     answers nil once the store is gone.
  ///   - key: what a run is about, so that the policy is applied to each key by itself.
  ///   - policy: what happens when the action comes again meanwhile.
  ///   - name: the name in logs and diagnostics, and to cancel by; that of the calling function
  ///     unless given.
  ///   - body: the work. The state it reads contains the action that started it.
  /// - Returns: the effect as an item for `createMiddleware(items:)`.
  public static func effect<A: Action, Value>(
    on type: A.Type, reading selector: @escaping @Sendable (State) -> Value,
    key: (@Sendable (A) -> any Hashable & Sendable)? = nil,
    _ policy: EffectPolicy = .every, name: StaticString = #function,
    _ body: @escaping EffectBody<A, Value>
  ) -> StateItem {
    effect(on: type, for: { $0 }, reading: selector, key: key, policy, name: name, body)
  }

  /// Creates an effect that runs after those actions of one type for which there is a payload, and
  /// reads a part of the state.
  ///
  /// - Parameters:
  ///   - type: the type of the actions.
  ///   - payload: picks the case that starts the effect, and what it carries. An action for which
  ///     this is nil neither starts nor cancels anything.
  ///   - selector: reads the part, as with ``effect(on:reading:key:_:name:_:)``.
  ///   - key: what a run is about, read from the payload.
  ///   - policy: what happens when the action comes again meanwhile.
  ///   - name: the name in logs and diagnostics, and to cancel by.
  ///   - body: the work.
  /// - Returns: the effect as an item for `createMiddleware(items:)`.
  public static func effect<A: Action, Payload: Sendable, Value>(
    on type: A.Type, for payload: @escaping @Sendable (A) -> Payload?,
    reading selector: @escaping @Sendable (State) -> Value,
    key: (@Sendable (Payload) -> any Hashable & Sendable)? = nil,
    _ policy: EffectPolicy = .every, name: StaticString = #function,
    _ body: @escaping EffectBody<Payload, Value>
  ) -> StateItem {
    StateItem { store in
      let part = StateReader(store, selector)
      return .effect(on: type, for: payload, key: key, policy, name: name) { payload, effect in
        try await body(payload, effect, part)
      }
    }
  }
}
