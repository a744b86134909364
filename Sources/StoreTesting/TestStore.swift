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
/// The test fails, at the line that can be mended, when an action makes another change than
/// described, when a received action was not expected, and when the store is released with actions
/// that nobody received or effects that still run. What has no line of its own, as that last, is
/// reported at the latest line that sent, received or finished.
///
/// An effect that fails sends `EffectFailed`, which is received as any other action. That is
/// handling enough: a test need not have a reducer or an effect for it.
///
/// The test never waits for an action that cannot come: once the store has nothing left to do, it
/// says so at once.
public final class TestStore<State: Equatable & Sendable> {
  /// The state as the last action that was sent or received made it; of several, the one reduced
  /// last.
  public var state: State { reached.value }

  private let store: Store<State>
  private let recorder: StepRecorder<State>
  private let limit: Duration
  private let report: FailureReport
  private let latestLine: LatestLine
  /// In a box, as all states are here: of a large one a stack holds only a few.
  private var reached: BoxedValue<State>
  private var asserted = AssertedSteps()
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
  ///   - limit: how long to wait for an effect that neither ends nor sends anything, in real time.
  ///   - fileID: the file to report failures in that come before the store was first used.
  ///   - filePath: the path of that file.
  ///   - line: the line in that file.
  ///   - column: the column in that line.
  public convenience init(
    initialState: State, reducer: Reducer<State>, middleware: [Middleware<State>] = [],
    limit: Duration = .seconds(10), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      initialState: BoxedValue(initialState), reducer: reducer, middleware: middleware,
      limit: limit, report: recordIssue, creation: TestLocation(fileID, filePath, line, column))
  }

  package init(
    initialState: BoxedValue<State>, reducer: Reducer<State>, middleware: [Middleware<State>],
    limit: Duration, report: @escaping FailureReport, creation: TestLocation
  ) {
    let recorder = StepRecorder(initialState: initialState)
    self.recorder = recorder
    self.limit = limit
    self.report = report
    let latestLine = LatestLine(creation)
    self.latestLine = latestLine
    reached = initialState
    store = Store(
      initialState, reducer: reducer,
      middleware: middleware + [recorder.link, createMiddleware(items: [receivesFailures])],
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
    guard !runs.isEmpty else { return }
    report(FailureText.releasedRunning(Activity(runs: runs, cancelled: 0)), location)
  }

  /// Sends an action as the app would, and asserts the change it makes.
  ///
  /// Actions of before that nobody received fail first. An action that a link keeps changes
  /// nothing; if the link passes it on later, receive it then.
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
    reportUnreceived(at: location)
    let number = store.dispatch(action, fileID: fileID, line: line).number
    guard let step = recorder.step(ofDispatch: number, from: asserted.next) else {
      if described(by: expected, from: reached) != reached {
        report(FailureText.kept(action), location)
      }
      return
    }
    reach(step)
    check(step, sentAs: action, verb: "send", expected, at: location)
  }

  /// Awaits the next action that effects or items sent, and asserts which it is and what it
  /// changes.
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
  ///   - matches: whether it is the one expected.
  ///   - expected: changes the state before the action into the one that is expected after it; nil
  ///     expects no change.
  ///   - fileID: the file to report a failure in.
  ///   - filePath: the path of that file.
  ///   - line: the line in that file.
  ///   - column: the column in that line.
  public func receive<A: Action>(
    _ type: A.Type, where matches: (A) -> Bool = { _ in true },
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
    if await !store.isIdle(within: limit) {
      let activity = Activity(of: store)
      runsReported.formUnion(activity.runs.map(\.number))
      report(FailureText.notFinished(activity, after: limit), location)
    }
    reportUnreceived(at: location)
  }

  /// Cancels effects that are running, as the app would with its store.
  ///
  /// Nothing more of them is reduced, so that a test can end what goes on for ever, as a poll does.
  /// Cancelling what is not there is no failure.
  public func cancelEffects(_ selection: EffectSelection) {
    store.cancelEffects(selection)
  }

  private func receive(
    _ description: String, where matches: (any Action) -> Bool,
    _ expected: ((inout State) -> Void)?, at location: TestLocation
  ) async {
    latestLine.location = location
    switch await recorder.awaitStep(at: asserted.next, of: store, limit: limit) {
    case .idle:
      report(FailureText.nothingComing(description), location)
    case .limit:
      report(FailureText.nothingCame(description, Activity(of: store), limit: limit), location)
    case .step(let step):
      reach(step)
      guard matches(step.action) else {
        return report(
          FailureText.otherAction(step.action, of: step.identity, expected: description), location)
      }
      check(step, sentAs: step.action, verb: "receive", expected, at: location)
    }
  }

  private func check(
    _ step: Step<State>, sentAs action: any Action, verb: String,
    _ expected: ((inout State) -> Void)?, at location: TestLocation
  ) {
    let description = described(by: expected, from: step.before)
    guard description != step.after else { return }
    let differences = Difference.between(
      expected: description.value, actual: step.after.value)
    if expected == nil {
      report(FailureText.unexpectedChange(action, verb: verb, differences), location)
    } else if step.before == step.after {
      report(FailureText.noChange(action, differences), location)
    } else {
      report(FailureText.otherChange(action, differences), location)
    }
  }

  /// What the test says that an action makes of `state`; without a closure that is nothing.
  private func described(
    by expected: ((inout State) -> Void)?, from state: BoxedValue<State>
  ) -> BoxedValue<State> {
    guard let expected else { return state }
    var description = state.value
    expected(&description)
    return BoxedValue(description)
  }

  private func reportUnreceived(at location: TestLocation) {
    let steps = recorder.steps(from: asserted.next).filter { !asserted.contains($0.index) }
    guard !steps.isEmpty else { return }
    report(FailureText.unreceived(steps.map { ($0.action, $0.identity) }), location)
    for step in steps { reach(step) }
  }

  /// Takes a step as asserted; the state never goes back to that of an earlier one.
  private func reach(_ step: Step<State>) {
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
