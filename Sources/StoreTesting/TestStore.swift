import Middleware
public import SideEffects
public import Store

/// A store for tests, which asserts what every action makes of the state, and that no action is
/// missed.
///
/// ```swift
/// @Test func `loading shows the count`() async {
///   let store = TestStore(
///     initialState: CounterState(), reducer: counterReducer,
///     middleware: [createMiddleware(items: [loadCount(service: FakeCountService(count: 3))])])
///
///   await store.send(Counter.load) { $0.isLoading = true }
///   await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
///   await store.finish()
/// }
/// ```
///
/// Behind it stands a real `Store`: actions of effects are reduced when they are sent. The test
/// walks through what happened one action at a time, and ``state`` is that of the last one it has
/// reached. Each change is asserted against the state that the action found. That contains what a
/// link or a running effect sent just before it, which is still to be received.
///
/// Effects run when the test sends, receives, finishes or advances the ``clock``, and at no other
/// time: each of these lets them go on as far as they can, one after the other, in an order that is
/// the same in every run. Only what an effect awaits elsewhere, the main actor say, or a continuation
/// that another thread resumes, comes at a time of its own, and is waited for.
///
/// The test fails, at the line that can be mended, when an action makes another change than
/// described, when a received action was not expected, and when the store is released with actions
/// that nobody received or effects that still run. What has no line of its own, as that last, is
/// reported at the latest line that sent, received or finished. A test that is to name less is made
/// with ``Exhaustivity/off``.
///
/// An effect that fails sends `EffectFailed`, which is received as any other action. That is
/// handling enough: a test need not have a reducer or an effect for it.
///
/// The test never waits for an action that cannot come: once nothing more can happen by itself, it
/// says so at once, and what each effect waits for. That is sure when all tasks of all effects wait
/// for the library or sleep on the clock, also those in the background, which may send. An effect
/// that waits elsewhere is waited for, up to a limit; so is one that has made children of its own, by
/// `async let` or in a task group, since nobody learns that those have ended. A `Task {}` is not seen,
/// nor a child added by `addImmediateTask` that has not come back yet: what those wait for, while
/// their effect waits for the library, is not waited for.
public final class TestStore<State: Equatable & Sendable> {
  /// The state as the last action that was sent or received made it; of several, the one reduced
  /// last.
  public var state: State { reached.value }

  /// The clock of the effects, which stands still unless the test advances it.
  ///
  /// ```swift
  /// await store.clock.advance(by: .seconds(3))
  /// ```
  public let clock: TestClock

  let store: Store<State>
  let recorder: StepRecorder<State>
  let executor: DeterministicExecutor
  let exhaustivity: Exhaustivity
  let limit: Duration
  /// When the store was made.
  let start: TestClock.Instant
  let report: FailureReport
  let latestLine: LatestLine
  /// In a box, as all states are here: of a large one a stack holds only a few.
  private var reached: BoxedValue<State>
  private(set) var asserted = AssertedSteps()
  /// The place of the step that made it.
  private var lastReached = -1
  /// The numbers of the runs of which `finish()` has said that they do not end.
  private var runsReported: Set<UInt64> = []

  /// Creates a store for a test.
  ///
  /// - Parameters:
  ///   - initialState: the state before the first action.
  ///   - reducer: changes the state.
  ///   - middleware: as for `Store`.
  ///   - clock: the clock of the effects; one of the test's own can be shared with what the effects
  ///     call, and with other stores.
  ///   - exhaustivity: whether the test has to name all that happens.
  ///   - limit: how long to wait, in real time, for what an effect awaits outside the store.
  ///   - fileID: the file to report failures in that come before the store was first used.
  ///   - filePath: the path of that file.
  ///   - line: the line in that file.
  ///   - column: the column in that line.
  public convenience init(
    initialState: State, reducer: Reducer<State>, middleware: [Middleware<State>] = [],
    clock: TestClock = TestClock(), exhaustivity: Exhaustivity = .on,
    limit: Duration = .seconds(10), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      initialState: BoxedValue(initialState), reducer: reducer, middleware: middleware,
      clock: clock, exhaustivity: exhaustivity, limit: limit, report: recordIssue,
      creation: TestLocation(fileID, filePath, line, column))
  }

  package init(
    initialState: BoxedValue<State>, reducer: Reducer<State>, middleware: [Middleware<State>],
    clock: TestClock = TestClock(), exhaustivity: Exhaustivity = .on, limit: Duration,
    report: @escaping FailureReport, creation: TestLocation
  ) {
    let recorder = StepRecorder(initialState: initialState)
    self.recorder = recorder
    self.clock = clock
    self.exhaustivity = exhaustivity
    self.limit = limit
    start = clock.now
    self.report = report
    let latestLine = LatestLine(creation)
    self.latestLine = latestLine
    reached = initialState
    executor = clock.join()
    store = Store(
      initialState, reducer: reducer,
      middleware: middleware + [recorder.link, createMiddleware(items: [receivesFailures])],
      clock: clock, executor: executor,
      diagnostics: { diagnostic in
        guard diagnostic.severity > .notice else { return }
        report("\(diagnostic)", latestLine.location)
      })
  }

  deinit {
    let location = latestLine.location
    reportUnreceived(at: location)
    // Nothing more can come of a run that was cancelled, so it may take its time to end; nor is
    // what `finish()` has told told again.
    let runs = store.liveEffects().filter { !$0.isBackground && !runsReported.contains($0.number) }
    if exhaustivity == .on, !runs.isEmpty {
      report(FailureText.releasedRunning(Activity(runs: runs, cancelled: 0)), location)
    }
    // What ends because it is cancelled ends here, while somebody runs it.
    store.cancelEffects(.all)
    runJobs()
    clock.leave()
  }

  /// Sends an action as the app would, and asserts the change it makes.
  ///
  /// Actions of before that nobody received fail first. An action that a link keeps changes
  /// nothing; if the link passes it on later, receive it then. When this returns, the effects of the
  /// action have gone on as far as they can.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - expected: changes the state before the action into the one that is expected after it; nil
  ///     expects no change.
  ///   - fileID: the file to report a failure in.
  ///   - filePath: the path of that file.
  ///   - line: the line in that file.
  ///   - column: the column in that line.
  public func send(
    _ action: any Action, _ expected: ((inout State) -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = TestLocation(fileID, filePath, line, column)
    latestLine.location = location
    await settle(at: location)
    reportUnreceived(at: location)
    let number = store.dispatch(action, fileID: fileID, line: line).number
    if let step = recorder.step(ofDispatch: number, from: asserted.next) {
      reach(step)
      check(step, sentAs: action, verb: "send", expected, at: location)
    } else if described(by: expected, from: reached) != reached {
      report(FailureText.kept(action), location)
    }
    await settle(at: location)
  }

  /// Awaits the next action that effects or items sent, and asserts which it is and what it
  /// changes.
  ///
  /// With ``Exhaustivity/off`` it skips to this action, over those that come before it.
  ///
  /// - Parameters:
  ///   - action: the action expected.
  ///   - expected: changes the state before the action into the one that is expected after it; nil
  ///     expects no change.
  ///   - fileID: the file to report a failure in.
  ///   - filePath: the path of that file.
  ///   - line: the line in that file.
  ///   - column: the column in that line.
  public func receive<A: Action & Equatable>(
    _ action: A, _ expected: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await receive(
      "\(action)", where: { $0 as? A == action }, expected,
      at: TestLocation(fileID, filePath, line, column))
  }

  /// Awaits the next action that effects or items sent, and asserts its type and what it changes.
  ///
  /// - Parameters:
  ///   - type: the type of the action expected.
  ///   - expected: changes the state before the action into the one that is expected after it; nil
  ///     expects no change.
  ///   - fileID: the file to report a failure in.
  ///   - filePath: the path of that file.
  ///   - line: the line in that file.
  ///   - column: the column in that line.
  public func receive<A: Action>(
    _ type: A.Type, _ expected: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await receive(
      type, where: { _ in true }, expected, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Awaits the next action that effects or items sent, and asserts its type, something about it, and
  /// what it changes.
  ///
  /// - Parameters:
  ///   - type: the type of the action expected.
  ///   - matches: whether it is the one expected.
  ///   - expected: changes the state before the action into the one that is expected after it; nil
  ///     expects no change.
  ///   - fileID: the file to report a failure in.
  ///   - filePath: the path of that file.
  ///   - line: the line in that file.
  ///   - column: the column in that line.
  public func receive<A: Action>(
    _ type: A.Type, where matches: (A) -> Bool,
    _ expected: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await receive(
      "an action of type \(type)", where: { ($0 as? A).map(matches) ?? false }, expected,
      at: TestLocation(fileID, filePath, line, column))
  }

  /// Waits until the store has nothing left to do, and asserts that every action was received.
  ///
  /// - Parameters:
  ///   - fileID: the file to report a failure in.
  ///   - filePath: the path of that file.
  ///   - line: the line in that file.
  ///   - column: the column in that line.
  public func finish(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = TestLocation(fileID, filePath, line, column)
    latestLine.location = location
    if case .stopped(let stop, let activity) = await wait(
      at: location, until: { $0.isOver ? true : nil }, mayGoOn: \.mayEnd)
    {
      runsReported.formUnion(activity.runs.map(\.number))
      if exhaustivity == .on {
        report(FailureText.notFinished(activity, stop), location)
      }
    }
    reportUnreceived(at: location)
  }

  /// Cancels effects that are running, as the app would with its store.
  ///
  /// Nothing more of them is reduced, so that a test can end what goes on for ever, as a poll does.
  /// Cancelling what is not there is no failure.
  public func cancelEffects(_ selection: EffectSelection) {
    store.cancelEffects(selection)
    runJobs()
  }

  private func receive(
    _ description: @autoclosure () -> String, where matches: (any Action) -> Bool,
    _ expected: ((inout State) -> Void)?, at location: TestLocation
  ) async {
    latestLine.location = location
    switch await nextStep(at: location, where: { exhaustivity == .on || matches($0) }) {
    case .stopped(let stop, let activity):
      report(FailureText.nothingCame(description(), activity, stop, skipped: unreceived), location)
    case .came(let step):
      reach(step)
      guard matches(step.action) else {
        return report(
          FailureText.otherAction(step.action, of: step.identity, expected: description()), location
        )
      }
      check(step, sentAs: step.action, verb: "receive", expected, at: location)
    }
  }
}

extension TestStore {
  private func reportUnreceived(at location: TestLocation) {
    let steps = recorder.steps(from: asserted.next).filter { !asserted.contains($0.index) }
    guard !steps.isEmpty else { return }
    if exhaustivity == .on { report(FailureText.unreceived(unreceived), location) }
    for step in steps { reach(step) }
  }

  /// Takes a step as asserted; the state never goes back to that of an earlier one.
  ///
  /// With ``Exhaustivity/off``, what comes before it and was not received is skipped.
  func reach(_ step: Step<State>) {
    if exhaustivity == .off { for index in asserted.next..<step.index { asserted.insert(index) } }
    asserted.insert(step.index)
    guard step.index > lastReached else { return }
    (lastReached, reached) = (step.index, step.after)
  }
}

/// The test handles what effects fail with, by receiving it, so the store need not report that as
/// well.
private let receivesFailures = MiddlewareItem.on(EffectFailed.self) { _, _ in }

// A test walks through its steps one after the other, in one task.
@available(*, unavailable)
extension TestStore: Sendable {}
