/// What `dispatch` returns: a way to wait for what the action set off, or to cancel it.
///
/// Most code ignores it. A test, a command-line tool or a refresh control awaits it:
///
/// ```swift
/// await store.dispatch(FetchPosts.request).finish()
/// ```
public struct DispatchHandle: Sendable {
  /// The number of the dispatch, as in its identity; zero if the store did not take it.
  package let number: UInt64
  /// The store that may still have to follow up; nil if it has.
  let store: (any StoreReferencing)?
  /// Finished when nothing works for the dispatch any more; nil if nothing ever did.
  let completion: Completion?

  @usableFromInline
  init(number: UInt64, store: (any StoreReferencing)?, completion: Completion?) {
    self.number = number
    self.store = store
    self.completion = completion
  }

  /// The handle of a dispatch that the store did not take, and that sets nothing off.
  @usableFromInline package static var finished: DispatchHandle {
    DispatchHandle(number: 0, store: nil, completion: nil)
  }

  /// Waits until observers were told of the action, its effects have ended, and so have the effects
  /// of the actions that those sent, and so on; effects of items declared `background()` do not
  /// count.
  ///
  /// Actions that observers send are not counted: they have a handle of their own. An item that
  /// keeps its dispatch function counts as working, for as long as it keeps that, even if the store
  /// is gone. Returns at once if nothing is left to wait for; returns early, and cancels nothing,
  /// when the calling task is cancelled. An effect that waits here for work that waits for the
  /// effect is told so through the store's diagnostics handler, and does not wait, or no longer if
  /// that work comes to wait only later.
  public func finish() async {
    if let completion {
      await completion.wait(for: "finish()") { await completion.wait($0) }
    }
    await store?.finishFollowUp()
  }

  /// Cancels the effects that the action set off, and those of the actions that they sent, as far
  /// as they are running or about to.
  ///
  /// After this returns nothing more of them is reduced, even if a body ignores cancellation. What
  /// is over, or was never set off, is no error; what a link holds back is not known, and not
  /// cancelled. It looks at all effects that are alive, while the store is locked.
  public func cancel() {
    guard let completion else { return }
    store?.cancelEffects(workingFor: completion)
  }
}
