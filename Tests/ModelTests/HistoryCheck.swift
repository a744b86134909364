/// What must hold of a history whatever the order in which the threads of a program were let run.
struct HistoryCheck {
  private(set) var problems: [String] = []
  let program: Program
  let entries: [EventLog.Entry]
  /// The reductions in order, which is the one total order.
  let reductions: [Reduction]

  struct Reduction {
    let time: Int
    let thread: ObjectIdentifier
    let step: Int
    let kind: Kind
  }

  /// What a thread of the history is in the middle of.
  private struct ThreadState {
    var chains: [(link: Int, step: Int)] = []
    /// The number of actions that the thread knows to be in the state.
    var known = 0
    /// The dispatches that have not returned, and whether their action was reduced meanwhile.
    var dispatches: [(step: Int, isReduced: Bool)] = []
  }

  /// Checks a history; the result is in ``problems``.
  init(_ program: Program, _ outcome: StoreSubject.Outcome) {
    self.program = program
    entries = outcome.entries
    reductions = entries.compactMap { entry in
      guard case .reduced(let step, let kind) = entry.event else { return nil }
      return Reduction(time: entry.time, thread: entry.thread, step: step, kind: kind)
    }
    if let order = outcome.order {
      require(order == reductions.map(\.step), "S2: the state has not the actions as reduced")
    }
    require(outcome.isIdle, "S3, S16: the store did not come to rest")
    require(outcome.isReleased, "S10: the store did not release all that it held")
    checkThreads()
    checkCounts()
    checkCommits()
    checkFollowUp()
    checkObservers()
    checkFinish()
  }

  mutating func require(_ holds: Bool, _ problem: @autoclosure () -> String) {
    if !holds { problems.append(problem()) }
  }

  /// How many actions were reduced before a time.
  func reduced(before time: Int) -> Int {
    reductions.partitioningIndex { $0.time >= time }
  }

  /// Each thread reads what it sent, never goes back, nests its chains, and follows up outside
  /// them.
  private mutating func checkThreads() {
    let steps = program.steps
    var threads: [ObjectIdentifier: ThreadState] = [:]
    for entry in entries {
      var thread = threads[entry.thread] ?? ThreadState()
      switch entry.event {
      case .dispatched(let step): thread.dispatches.append((step, false))
      case .reduced(let step, _):
        thread.known = reduced(before: entry.time + 1)
        if let last = thread.dispatches.lastIndex(where: { $0.step == step }) {
          thread.dispatches[last].isReduced = true
        }
      case .returned(_, let count), .read(let count):
        if case .returned(let step, _) = entry.event {
          let dispatch = thread.dispatches.popLast()
          require(
            dispatch?.isReduced == true || steps[step]?.isSureToBeReduced != true,
            "S2, S3: #\(step) was not reduced when its dispatch returned")
        }
        guard let count else { break }
        require(count >= thread.known, "S2: a thread read \(count) after \(thread.known) actions")
        require(count <= reduced(before: entry.time), "S2: a thread read what was not reduced")
        thread.known = max(thread.known, count)
      case .entered(let link, let step, _): thread.chains.append((link, step))
      case .left(let link, let step):
        let last = thread.chains.popLast()
        require(last?.link == link && last?.step == step, "S3: link \(link) did not nest #\(step)")
      case .told(let observer, _):
        require(thread.chains.isEmpty, "S7: observer \(observer) was told inside a chain")
      case .followed(let follower, let step):
        require(thread.chains.isEmpty, "S7: follower \(follower) of #\(step) ran inside a chain")
      case .diagnosed(let text): require(false, "a diagnostic: \(text)")
      default: break
      }
      threads[entry.thread] = thread
    }
  }

  /// Whatever went in came out: nothing is lost, nothing done twice.
  private mutating func checkCounts() {
    var (dispatched, sent, passed) = ([Int: Int](), [Int: Int](), [Int: Int]())
    var reduced: [Int: Int] = [:]
    var followed: [[Int]: Int] = [:]
    for entry in entries {
      switch entry.event {
      case .dispatched(let step): dispatched[step, default: 0] += 1
      case .sent(let step): sent[step, default: 0] += 1
      case .passed(program.linkCount - 1, let step, .some, _): passed[step, default: 0] += 1
      case .reduced(let step, let kind):
        reduced[step, default: 0] += 1
        for (index, follower) in program.followers.enumerated() where follower.kind == kind {
          followed[[index, step], default: 0] += 1
        }
      case .followed(let index, let step) where program.followers[index].kind != .unheard:
        followed[[index, step], default: 0] -= 1
      default: break
      }
    }
    for (step, plan) in program.steps {
      let count = reduced[step, default: 0]
      if program.linkCount == 0, plan.kind != .unheard {
        let certain = dispatched[step, default: 0]
        // What is sent to something kept may find the store gone.
        let possible = certain + sent[step, default: 0]
        require(
          (certain...possible).contains(count), "S2: #\(step) was reduced \(count) times")
      } else if program.linkCount > 0, !plan.changesKind {
        require(
          plan.kind == .unheard || count >= passed[step, default: 0],
          "S7: #\(step) was reduced \(count) times, and passed \(passed[step, default: 0])")
      }
    }
    for (key, count) in followed where count != 0 {
      require(false, "S3: follower \(key[0]) of #\(key[1]) has \(count) turns missing")
    }
  }

  /// What `next` returned is the commit that was made, and what it read is the state of that.
  private mutating func checkCommits() {
    guard program.linkCount > 0 else { return }
    var latest: [ObjectIdentifier: (index: Int, step: Int)] = [:]
    var commits: [(index: Int, commit: UInt64)] = []
    var index = -1
    for entry in entries {
      switch entry.event {
      case .reduced(let step, _):
        index += 1
        latest[entry.thread] = (index, step)
      case .passed(program.linkCount - 1, let step, let commit?, let count):
        // One that no reducer handles has no reduction of its own.
        guard let last = latest.removeValue(forKey: entry.thread), last.step == step else { break }
        commits.append((last.index, commit))
        require(
          count == nil || count == last.index + 1, "S7: #\(step) read a state not its own")
      default: break
      }
    }
    commits.sort { $0.index < $1.index }
    for (earlier, later) in zip(commits, commits.dropFirst()) {
      require(earlier.commit < later.commit, "S7: the commits are not numbered as reduced")
    }
  }

  /// A dispatch whose `finish()` has returned has nothing at work any more.
  private mutating func checkFinish() {
    let steps = program.steps
    var finished: [Int: Int] = [:]
    for entry in entries {
      switch entry.event {
      case .finished(let step):
        for descendant in steps[step]?.descendants ?? [] { finished[descendant] = step }
      case .reduced(let step, _), .followed(_, let step), .followedEnded(_, let step),
        .wentOn(_, let step):
        require(finished[step] == nil, "S16: #\(step) worked on after finish()")
      default: break
      }
    }
  }
}

extension Step {
  /// Whether there are a reducer for this and no link that keeps it.
  fileprivate var isSureToBeReduced: Bool {
    kind != .unheard && !changesKind && !links.contains { $0.decision == .swallow }
  }

  /// Whether a link may make an action of another kind of it.
  fileprivate var changesKind: Bool {
    links.contains { plan in
      if case .replace = plan.decision { true } else { false }
    }
  }

  /// This action and those that its links, items and effects dispatch, and so on.
  fileprivate var descendants: [Int] {
    let nested =
      links.flatMap { $0.before + $0.after } + followers.flatMap(\.operations)
    let steps = nested.compactMap { operation in
      if case .dispatch(let step) = operation { step } else { nil }
    }
    return [id] + steps.flatMap(\.descendants)
  }
}

extension [HistoryCheck.Reduction] {
  /// The first index from which on `isLater` holds.
  fileprivate func partitioningIndex(_ isLater: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isLater(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
