/// Something that a store refused or dropped, and what to do about it.
///
/// A store goes on working after a mistake in the code around it, and tells its diagnostics
/// handler. Give it one of yours to log, count, or fail a test:
///
/// ```swift
/// Store(initialState: state, reducer: reducer, diagnostics: { log.warning("\($0)") })
/// ```
public enum Diagnostic: Sendable {
  /// A reducer, a selector, an `==`, or a `deinit` that one of them caused called its own store.
  ///
  /// `reducing` names the type of the action that was being reduced, with its number and its line;
  /// it is nil if there was none: for a selector that the store called by itself, or a `deinit`.
  case callDuringReduction(call: String, reducing: String?)
  /// Each of so many dispatches was made because of the one before; told once for each store.
  case probableLoop(generations: Int, lastActions: [String])
  /// Actions come faster than observers and items deal with them; told once for each store.
  case longFollowUpQueue(depth: Int, action: String, dispatch: DispatchIdentity)
  /// An action was dispatched after `shutdown(grace:)`.
  case actionAfterShutdown(action: String, dispatch: DispatchIdentity)
  /// An effect sent an action after it had ended.
  case actionAfterEffectEnded(
    action: String, effect: EffectName, origin: DispatchIdentity, source: SourceLine)
  /// An effect sent an action after it had been cancelled.
  case actionAfterEffectCancelled(
    action: String, effect: EffectName, origin: DispatchIdentity, source: SourceLine)
  /// An effect, or a task of its body, waits for work that cannot end before the effect does.
  case effectWaitsForItself(effect: EffectName, call: String)
  /// An effect failed, and no reducer and no effect handles that.
  case unhandledEffectFailure(effect: EffectName, origin: DispatchIdentity, error: String)
  /// An effect that handles failures of effects failed itself.
  case failureHandlerFailed(effect: EffectName, origin: DispatchIdentity, error: String)
}

extension Diagnostic {
  /// How much it matters.
  public enum Severity: Sendable, Comparable {
    /// It happens in every concurrent program; nothing needs to be done.
    case notice
    /// Something failed, and nobody was told.
    case warning
    /// The code is wrong.
    case programmingError
  }

  /// How much it matters.
  public var severity: Severity {
    switch self {
    case .actionAfterEffectCancelled: .notice
    case .unhandledEffectFailure, .failureHandlerFailed, .effectWaitsForItself, .probableLoop,
      .longFollowUpQueue, .actionAfterShutdown:
      .warning
    case .callDuringReduction, .actionAfterEffectEnded: .programmingError
    }
  }

  /// The handler of a store that was given none.
  ///
  /// Writes warnings and programming errors to the standard error stream. A programming error then
  /// stops a debug build, so that the mistake is found where it is made; a release build goes on.
  public static let standardHandler: @Sendable (Diagnostic) -> Void = { diagnostic in
    guard diagnostic.severity > .notice else { return }
    writeToStandardError("Millrace: \(diagnostic)")
    if diagnostic.severity == .programmingError { assertionFailure("\(diagnostic)") }
  }
}

extension Diagnostic: CustomStringConvertible {
  /// What happened, the likely cause, and how to mend it.
  public var description: String {
    switch self {
    case .callDuringReduction(let call, let reducing):
      """
      `\(call)` was called on a store from one of its own reducers, selectors or `==` functions \
      \(reducing.map { "while it reduced \($0)" } ?? "outside of any action"). They run while the \
      store is locked; the call was ignored. \
      Reducers are pure: to send another action, do it in an effect or a middleware item that handles \
      this one; to read another part of the state, scope the reducer wider.
      """
    case .probableLoop(let generations, let lastActions):
      """
      More than \(generations) dispatches were made one because of the other, which looks like a \
      loop: an observer, an item or an effect answers an action with one that leads to the same \
      again. The last were, oldest first: \(lastActions.joined(separator: "; ")). Let one of them \
      dispatch only if something has changed. The store goes on.
      """
    case .longFollowUpQueue(let depth, let action, let dispatch):
      """
      \(depth) pieces of follow-up work are waiting, the last of them for \(action) (\(dispatch)): \
      actions come faster than observers and items deal with them. Look for one that blocks its \
      thread, and dispatch less often: gather what belongs together into one action. Nothing is lost.
      """
    case .actionAfterShutdown(let action, let dispatch):
      """
      \(action) (\(dispatch)) came to the reducer of a store that was shut down; it was dropped. \
      End what dispatches, or holds actions back, before `shutdown(grace:)`, or make a new store.
      """
    case .actionAfterEffectEnded(let action, let effect, let origin, let source):
      """
      The effect ‘\(effect)’ (from \(origin)) sent \(action) at \(source) after its body had \
      returned; the action was dropped. The likely cause is a `Task` or a callback that outlives \
      the body. Await that work in the body, so that cancelling the effect ends it too.
      """
    case .actionAfterEffectCancelled(let action, let effect, let origin, let source):
      """
      The effect ‘\(effect)’ (from \(origin)) sent \(action) at \(source) after it had been \
      cancelled; the action was dropped. Nothing needs to be done; to stop earlier, let the body \
      check for cancellation.
      """
    case .effectWaitsForItself(let effect, let call):
      """
      The effect ‘\(effect)’ awaits `\(call)`, which cannot return before that effect ends; the \
      call returned at once. Let the effect return, or wait outside of effects.
      """
    case .unhandledEffectFailure(let effect, let origin, let error):
      """
      The effect ‘\(effect)’ (from \(origin)) failed, and nothing handles that: \(error). Turn the \
      error into an action inside the effect, or handle `EffectFailed` in a reducer or an effect.
      """
    case .failureHandlerFailed(let effect, let origin, let error):
      """
      The effect ‘\(effect)’ (from \(origin)), which handles the failures of effects, failed \
      itself: \(error). Turn the error into an action inside the effect.
      """
    }
  }
}
