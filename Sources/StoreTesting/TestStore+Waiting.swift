import Store

/// Why a test waits no longer for what has not come.
enum WaitStop: Sendable {
  /// Nothing more can happen by itself.
  case certain
  /// This was the limit, and something outside the store may still come.
  case limit(Duration)
}

/// How waiting for something ended.
enum WaitEnd<Value> {
  case came(Value)
  case stopped(WaitStop, Activity)
}

extension TestStore {
  /// What the store is at now.
  var activity: Activity { Activity(of: store, clock: clock, executor: executor, since: start) }

  /// Waits for the next action that was not asserted, and is one of those looked for.
  func nextStep(
    at location: TestLocation, where isWanted: (any Action) -> Bool
  ) async -> WaitEnd<Step<State>> {
    func wanted() -> Step<State>? {
      recorder.firstStep(from: asserted.next) { step in
        !asserted.contains(step.index) && isWanted(step.action)
      }
    }
    // What the store is at need not be asked where the step is there.
    let isAtRest = await settle(at: location)
    if let step = wanted() { return .came(step) }
    guard isAtRest else { return .stopped(.limit(limit), activity) }
    return await wait(at: location, until: { _ in wanted() }, mayGoOn: \.mayReceive)
  }

  /// Lets effects go on until `found` finds something, or nothing more can happen.
  ///
  /// Only for what has left the executor it waits in real time: for a job to come back, for an action
  /// that another thread sends, or for the last effect to end.
  ///
  /// - Parameters:
  ///   - location: where to report effects that do not come to rest.
  ///   - found: looks for it when nothing can run.
  ///   - mayGoOn: whether it may come although nothing can run.
  /// - Returns: what was found, or why it was given up.
  func wait<Value>(
    at location: TestLocation, until found: (Activity) -> Value?, mayGoOn: (Activity) -> Bool
  ) async -> WaitEnd<Value> {
    let deadline = ContinuousClock.now + limit
    while true {
      let isAtRest = await settle(at: location)
      let count = recorder.count
      let activity = self.activity
      // What came meanwhile of another thread is not in that picture.
      if isAtRest, !executor.isIdle, ContinuousClock.now < deadline { continue }
      if let value = found(activity) { return .came(value) }
      guard mayGoOn(activity) else { return .stopped(.certain, activity) }
      guard isAtRest, await somethingCame(after: count, activity, by: deadline) else {
        return .stopped(.limit(limit), activity)
      }
    }
  }

  /// Runs all that can run on the executor, and fails the test if that has no end.
  ///
  /// - Returns: Whether it came to rest.
  @discardableResult
  func settle(at location: TestLocation) async -> Bool {
    if runJobs() {
      // Another may be at it: a clock that is shared, advanced in another task.
      if !executor.isIdle { await executor.drain() }
      return true
    }
    report(FailureText.restless(activity, after: limit), location)
    return false
  }

  /// Runs jobs until none waits; answers false if that took longer than the limit.
  @discardableResult
  func runJobs() -> Bool {
    var (count, deadline) = (0, ContinuousClock.Instant?.none)
    while executor.runOne() {
      count += 1
      guard count.isMultiple(of: 1_000) else { continue }
      if let deadline, ContinuousClock.now > deadline { return false }
      deadline = deadline ?? .now + limit
    }
    return true
  }

  /// Waits for a job, an action or the end of the last effect; answers false at the deadline.
  private func somethingCame(
    after count: Int, _ activity: Activity, by deadline: ContinuousClock.Instant
  ) async -> Bool {
    guard let arrival = recorder.arrival(after: count) else { return true }
    let (executor, store, timeout) = (executor, store, ContinuousClock.now.duration(to: deadline))
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask { await executor.waitForJob(timeout: timeout) }
      group.addTask {
        await arrival.wait()
        return !Task.isCancelled
      }
      if !activity.isOver {
        group.addTask {
          await store.idle()
          return !Task.isCancelled
        }
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }
}
