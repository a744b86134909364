public import Store

/// What the body of an effect can do besides its own work.
public struct EffectContext: Sendable {
  @usableFromInline let run: EffectRun

  @inlinable
  init(run: EffectRun) { self.run = run }

  /// The name of the effect.
  public var name: EffectName { run.name }

  /// The dispatch whose action started this run.
  public var origin: DispatchIdentity { run.origin }

  /// Whether this run was cancelled, so that nothing it sends has an effect any more.
  public var isCancelled: Bool { run.isCancelled }

  /// Sends an action through the whole chain; when this returns, the state contains it.
  ///
  /// What is sent after the run was cancelled, or after its body returned, is dropped and reported
  /// to the store's diagnostics handler. Once the store is gone this does nothing.
  @discardableResult
  public func dispatch(
    _ action: any Action, fileID: StaticString = #fileID, line: UInt = #line
  ) -> DispatchHandle {
    run.send(action, from: SourceLine(fileID: fileID, line: line))
  }
}
