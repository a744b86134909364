import Store

extension EffectContext {
  /// Starts something beside the body that belongs to this run.
  ///
  /// The run has not ended before its forks have. Cancelling the run cancels them; cancelling a fork
  /// leaves the rest alone. When a fork fails, the body and the other forks are cancelled, and the
  /// run fails with that error, once.
  ///
  /// A fork begins soon, not at once: what it sends may come before or after what the body does next.
  /// Of a run that has ended, has failed or was cancelled none begins.
  ///
  /// - Parameter body: the work; what it sends, the run sends.
  /// - Returns: a handle to cancel the fork by.
  @discardableResult
  public func fork(
    _ body: @escaping @Sendable (_ effect: EffectContext) async throws -> Void
  ) -> EffectFork {
    EffectFork(run: run, task: run.fork { try await body(self) })
  }

  /// Starts something that does not belong to this run, and goes on when that ends or is cancelled.
  ///
  /// It is a run of the same effect by its own right, without a key, to which no policy applies: it
  /// is listed, and cancelled by name, with the dispatch that set it off, and with the store. When it
  /// fails, ``EffectFailed`` is sent. It begins in its turn, as an effect of an action that is sent
  /// now would. A run that has ended or was cancelled spawns nothing.
  ///
  /// - Parameter body: the work.
  public func spawn(
    _ body: @escaping @Sendable (_ effect: EffectContext) async throws -> Void
  ) {
    run.runner.spawn({ _, effect in try await body(effect) }, by: run)
  }

  /// Cancels effects of this store, as the store's `cancelEffects(_:)` does; also this one itself.
  public func cancelEffects(_ selection: EffectSelection) {
    let runs = run.store.withFollowers(for: "cancelEffects") { $0.silence(selection) }
    for run in runs ?? [] { run.interrupt() }
  }
}

/// Something that an effect does beside its body.
public struct EffectFork: Sendable {
  let run: EffectRun
  let task: Task<Void, Never>?

  /// Cancels it, and nothing else; once it has ended that is no error.
  public func cancel() { task?.cancel() }

  /// Waits until it has ended, whatever ended it.
  public func finish() async {
    guard let task else { return }
    // Only for its own run the fork says itself what it waits for.
    guard CurrentEffect.value === run else { return await task.value }
    await run.waiting(for: nil) { await task.value }
  }
}
