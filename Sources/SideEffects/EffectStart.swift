public import Store

/// Decides whether one action, of a dispatch, starts a run of an effect, and makes it: pure, and
/// asked before the store is locked.
@usableFromInline
typealias EffectMatch = @Sendable (any Action, DispatchIdentity, EffectRunner) -> EffectRun?

extension EffectRun {
  /// Creates a run; inlined, so that the body and the task around it become one function, each call
  /// less in which is a twentieth of a round trip (`effect.roundtrip`).
  @inlinable @inline(__always)
  convenience init<Payload: Sendable>(
    of runner: EffectRunner, origin: DispatchIdentity, key: EffectKey?, isSpawned: Bool = false,
    payload: Payload, body: @escaping EffectBody<Payload>
  ) {
    self.init(
      of: runner, number: runner.effects.nextNumber(), origin: origin, key: key,
      isSpawned: isSpawned
    ) { run, held in
      guard held == nil, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
      else {
        return Task(executorPreference: held) {
          await run.executeHeld { try await body(payload, $0) }
        }
      }
      var task: Task<Void, Never>?
      // Done once. The compiler inlines a call this long only into a loop, and does not see without
      // that no executor is preferred; then the task looks for one whenever it suspends.
      repeat {
        task = Task.immediate { await run.execute { try await body(payload, $0) } }
      } while task == nil
      return task
    }
  }
}
