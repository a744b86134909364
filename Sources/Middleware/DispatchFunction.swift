public import Store

/// Sends actions to the store an item belongs to, through the whole chain.
///
/// It may be kept and called later, on any thread: that is how work with a callback reports back.
/// For as long as it is kept, the action being handled counts as unfinished for whoever awaits
/// `DispatchHandle.finish()`. Once the store is gone it does nothing.
public struct DispatchFunction: Sendable {
  let store: any StoreReferencing
  let sender: Sender

  /// Sends an action; when this returns, the state contains it.
  @discardableResult
  public func callAsFunction(
    _ action: any Action, fileID: StaticString = #fileID, line: UInt = #line
  ) -> DispatchHandle {
    store.send(action, SourceLine(fileID: fileID, line: line), sender)
  }
}
