import Testing

/// The shrinker and what it stands on, with a bug planted in place of a store.
struct ShrinkerTests {
  /// A subject that goes wrong where an observer is cancelled in an observer's call.
  private func fails(_ program: Program) -> Bool {
    program.steps.values.contains { step in
      step.sight?.operations.contains { if case .cancel = $0 { true } else { false } } == true
    }
  }

  @Test func `A program that fails is made as short as it can be`() async throws {
    let program = try #require(
      (1...1_000).lazy.map { Program.sequential(seed: $0) }
        .first { fails($0) && $0.operationCount > 20 && $0.linkCount > 0 })

    let shortest = await Shrinker.shrink(program) { fails($0) }

    #expect(fails(shortest))
    #expect(shortest.operationCount == 2)
    #expect(shortest.linkCount == 0)
    #expect(shortest.followers == [])
  }

  @Test func `The operations of several threads are shrunk together`() async {
    // Given something that needs one operation of each of two threads
    let program = Program.threaded(seed: 7)
    func fails(_ program: Program) -> Bool {
      program.threads.count > 1 && program.threads[0].contains { $0.step?.kind != nil }
        && !program.threads[1].isEmpty
    }
    #expect(fails(program))

    let shortest = await Shrinker.shrink(program) { fails($0) }

    #expect(shortest.threads.map(\.count) == [1, 1])
    #expect(shortest.operationCount == 2)
  }

  @Test func `The same seed makes the same program, another seed another`() {
    #expect(Program.threaded(seed: 1) == Program.threaded(seed: 1))
    #expect(Program.threaded(seed: 1) != Program.threaded(seed: 2))
    #expect(Program.sequential(seed: 1) != Program.sequential(seed: 2))
  }

  @Test func `A program is printed an operation a line`() {
    var step = Step(id: 1, kind: .red)
    step.links = [LinkPlan(before: [.keep(0)], decision: .swallow)]
    step.sight = Sight(turn: 2, operations: [.cancel(0)])
    step.followers = [FollowerPlan(suspends: true, operations: [.read])]
    let program = Program(
      linkCount: 1, followers: [.init(kind: .red, isEffect: true)],
      threads: [[.subscribe(0, .last(.red), initial: true), .dispatch(step)]])

    #expect(
      program.description == """
        links: 1
        effect 0 on red
        only the threads hold the store
        thread 0:
          subscribe 0 to last red, with the initial value
          dispatch red #1
            link 0:
              keep a way to send, as 0
              swallow
            observer call 2 that shows it:
              cancel 0
            follower 0:
              suspend
              read the state
        """)
  }

  @Test func `The environment says which programs are run`() {
    #expect(ModelSettings([:]).seeds == 1..<501)
    #expect(ModelSettings(["MILLRACE_MODEL_SEED": "7"]).seeds == 7..<8)
    #expect(ModelSettings(["MILLRACE_MODEL_PROGRAMS": "10"]).seeds == 1..<6)
    #expect(
      ModelSettings(["MILLRACE_MODEL_SEED": "100", "MILLRACE_MODEL_PROGRAMS": "10"]).seeds
        == 100..<105)
  }
}
