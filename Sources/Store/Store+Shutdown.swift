extension Store {
  /// Ends the work of the store in good order.
  ///
  /// From here on actions of callers are refused, and the diagnostics handler is told; those that
  /// come of actions taken before, from links, items and running effects, are still taken. When
  /// nothing is left to do, or `grace` is over, or the calling task is cancelled, all effects that
  /// are left are cancelled and no action is taken any more. The state can still be read, and
  /// observers are told what was reduced. What a link or an item keeps for later is not known to
  /// the store: it is not waited for, and refused when it comes.
  ///
  /// It may be called again, also at the same time: the shorter grace counts. An effect of this
  /// store that calls it does not wait, since it would wait for itself, and is told so: the store
  /// refuses new actions, and does not cancel.
  ///
  /// - Parameters:
  ///   - grace: how long to wait at most for what is under way; nothing is waited for if it is
  ///     zero.
  ///   - clock: measures it.
  public func shutdown(grace: Duration, clock: some Clock<Duration> = TimerClock()) async {
    guard !isCalledDuringReduction("shutdown") else { return }
    enter(.closing)
    if let effect = callingEffect {
      diagnostics(.effectWaitsForItself(effect: effect.name, call: "shutdown(grace:)"))
      return
    }
    if grace > .zero {
      await withTaskGroup { group in
        group.addTask { await self.idle() }
        group.addTask { try? await clock.sleep(for: grace) }
        await group.next()
        group.cancelAll()
      }
    }
    enter(.closed)
    cancelEffects(workingFor: nil)
  }

  private func enter(_ phase: StorePhase) {
    machine.withLock { $0.phase = max($0.phase, phase) }
  }
}
