import Store

extension TestStore {
  /// Awaits as many actions as are expected, whatever their order, and asserts which they are and
  /// what each of them changes.
  ///
  /// For effects that run side by side and of which the test should not say who is first.
  ///
  /// ```swift
  /// await store.receive(
  ///   inAnyOrder: .action(FetchUsers.success(users)) { $0.users = UsersState(values: users) },
  ///   .action(FetchPosts.success(posts)) { $0.posts = PostsState(values: posts) })
  /// ```
  ///
  /// Each change is asserted against the state that its own action found, which may contain those of
  /// others in the group. So let a closure set only what its action changes; then it is right in
  /// every order, and a change too many is still found, at the action that made it.
  ///
  /// - Parameters:
  ///   - expected: the actions.
  ///   - fileID: the file to report a failure in.
  ///   - filePath: the path of that file.
  ///   - line: the line in that file.
  ///   - column: the column in that line.
  public func receive(
    inAnyOrder expected: ExpectedAction<State>..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let location = TestLocation(fileID, filePath, line, column)
    latestLine.location = location
    var matching = GroupMatching(expectationCount: expected.count)
    var steps: [Step<State>] = []
    while !matching.open.isEmpty {
      let open = matching.open.map { expected[$0].description }
      let next = await nextStep(at: location) { action in
        exhaustivity == .on || expected.contains { $0.matches(action) }
      }
      switch next {
      case .stopped(let stop, let activity):
        report(
          FailureText.nothingCame(
            FailureText.oneOf(open), activity, stop, skipped: unreceived), location)
        return check(steps, matching, expected, at: location)
      case .came(let step):
        reach(step)
        let fitting = expected.indices.filter { expected[$0].matches(step.action) }
        if matching.add(fitting: fitting) {
          steps.append(step)
        } else if exhaustivity == .on {
          report(
            FailureText.otherAction(
              step.action, of: step.identity, expected: FailureText.oneOf(open)), location)
          return check(steps, matching, expected, at: location)
        }
      }
    }
    check(steps, matching, expected, at: location)
  }

  /// Asserts the changes of those that came, in the order in which they came.
  private func check(
    _ steps: [Step<State>], _ matching: GroupMatching, _ expected: [ExpectedAction<State>],
    at location: TestLocation
  ) {
    for (place, step) in steps.enumerated() {
      guard let expectation = matching.assigned.firstIndex(of: place) else { continue }
      check(
        step, sentAs: step.action, verb: "receive", expected[expectation].expected, at: location)
    }
  }
}
