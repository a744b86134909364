public import Store

/// What one action makes an effect do.
@usableFromInline
struct EffectStart: Sendable {
  /// Decides whether one action starts a run, and of what: pure, and asked before the store is
  /// locked.
  @usableFromInline typealias Match = @Sendable (any Action) -> EffectStart?

  @usableFromInline let key: (any Hashable & Sendable)?
  /// Makes the task of a run, to be held; or, if nothing holds it, lets it run at once, up to the
  /// first suspension of the body. A platform that lacks `Task.immediate` has all of them held.
  @usableFromInline let makeTask: @Sendable (EffectRun, HeldTask?) -> Task<Void, Never>?

  /// Creates a start; inlined, so that the body and the task around it become one function, each
  /// call less in which is a fifteenth of a round trip (`effect.roundtrip`).
  @inlinable @inline(__always)
  init<Payload: Sendable>(
    key: (any Hashable & Sendable)?, payload: Payload, body: @escaping EffectBody<Payload>
  ) {
    self.key = key
    makeTask = { run, held in
      // The task copies what is bound when it is made. Bound within, it would cost a call more.
      CurrentEffect.local.withValue(run) {
        guard held == nil, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
        else {
          return Task(executorPreference: held) {
            await run.execute { try await body(payload, $0) }
          }
        }
        var task: Task<Void, Never>?
        // Done once. The compiler inlines a call this long only into a loop, and does not see
        // without that no executor is preferred; then the task looks for one whenever it suspends.
        repeat {
          task = Task.immediate { await run.execute { try await body(payload, $0) } }
        } while task == nil
        return task
      }
    }
  }
}
