extension Program: CustomStringConvertible {
  /// The program as text, an operation a line, nested ones indented below what they happen in.
  var description: String {
    var lines = ["links: \(linkCount)"]
    for (index, follower) in followers.enumerated() {
      lines.append("\(follower.isEffect ? "effect" : "item") \(index) on \(follower.kind)")
    }
    lines.append(isKept ? "the test keeps the store" : "only the threads hold the store")
    for (index, operations) in threads.enumerated() where !operations.isEmpty {
      lines.append("thread \(index):")
      lines += operations.flatMap { $0.lines(in: self) }.indented
    }
    return lines.joined(separator: "\n")
  }
}

extension Operation {
  fileprivate func lines(in program: Program) -> [String] {
    switch self {
    case .dispatch(let step):
      ["dispatch \(step.kind) #\(step.id)"] + step.lines(in: program).indented
    case .subscribe(let observer, let selection, let initial):
      ["subscribe \(observer) to \(selection.name)\(initial ? ", with the initial value" : "")"]
    case .cancel(let observer): ["cancel \(observer)"]
    case .drop(let observer): ["drop the token of \(observer)"]
    case .read: ["read the state"]
    case .keep(let slot): ["keep a way to send, as \(slot)"]
    case .send(let slot, let step):
      ["send \(step.kind) #\(step.id) to what was kept as \(slot)"]
        + step.lines(in: program).indented
    case .release(let thread): ["release the store that thread \(thread) holds"]
    }
  }
}

extension Step {
  fileprivate func lines(in program: Program) -> [String] {
    var lines: [String] = []
    for (index, plan) in links.enumerated() where index < program.linkCount {
      guard plan != LinkPlan() else { continue }
      lines.append("link \(index):")
      lines += plan.before.flatMap { $0.lines(in: program) }.indented
      lines += [plan.decision.name].indented
      lines += plan.after.flatMap { $0.lines(in: program) }.indented
    }
    if let sight, !sight.operations.isEmpty {
      lines.append("observer call \(sight.turn) that shows it:")
      lines += sight.operations.flatMap { $0.lines(in: program) }.indented
    }
    for (index, plan) in followers.enumerated() where index < program.followers.count {
      guard plan != FollowerPlan() else { continue }
      lines.append("follower \(index):")
      if plan.suspends { lines += ["suspend"].indented }
      lines += plan.operations.flatMap { $0.lines(in: program) }.indented
    }
    return lines
  }
}

extension Selection {
  fileprivate var name: String {
    switch self {
    case .whole: "the whole state"
    case .last(let kind): "last \(kind)"
    case .half: "half the count"
    case .parity: "the parity of the count"
    case .constant: "a constant"
    }
  }
}

extension LinkPlan.Decision {
  fileprivate var name: String {
    switch self {
    case .pass: "pass"
    case .passReading: "pass and read"
    case .passTwice: "pass twice"
    case .swallow: "swallow"
    case .replace(let kind): "pass on as \(kind)"
    }
  }
}

extension [String] {
  fileprivate var indented: [String] { map { "  " + $0 } }
}
