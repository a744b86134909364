extension Program {
  /// How many operations there are, nested ones included.
  var operationCount: Int {
    var count = 0
    _ = mapOperations { operation in
      count += 1
      return [operation]
    }
    return count
  }

  /// All actions, by their number.
  var steps: [Int: Step] {
    var steps: [Int: Step] = [:]
    _ = mapOperations { operation in
      if let step = operation.step { steps[step.id] = step }
      return [operation]
    }
    return steps
  }

  /// Returns the program without the operations that `range` counts off, outer before inner, and
  /// without what is nested in them.
  func removing(_ range: Range<Int>) -> Program {
    var index = -1
    return mapOperations { operation in
      index += 1
      return range.contains(index) ? [] : [operation]
    }
  }

  /// Returns the program with what is nested in an operation in the place of that operation.
  func unwrapping(_ unwrapped: Int) -> Program {
    var index = -1
    return mapOperations { operation in
      index += 1
      return index == unwrapped ? operation.step?.nested ?? [] : [operation]
    }
  }

  /// Returns the program with other operations, perhaps none, in the place of each.
  func mapOperations(_ transform: (Operation) -> [Operation]) -> Program {
    func map(_ operations: [Operation]) -> [Operation] {
      operations.flatMap { transform($0).map { $0.mapNested(map) } }
    }
    var program = self
    program.threads = threads.map(map)
    return program
  }
}

extension Operation {
  /// The action that this sends.
  var step: Step? {
    switch self {
    case .dispatch(let step), .send(_, let step): step
    case .subscribe, .cancel, .drop, .read, .keep, .release: nil
    }
  }

  fileprivate func mapNested(_ map: ([Operation]) -> [Operation]) -> Operation {
    switch self {
    case .dispatch(let step): .dispatch(step.mapNested(map))
    case .send(let slot, let step): .send(slot, step.mapNested(map))
    case .subscribe, .cancel, .drop, .read, .keep, .release: self
    }
  }
}

extension Step {
  /// What the link of this number does.
  func plan(forLink index: Int) -> LinkPlan {
    index < links.count ? links[index] : LinkPlan()
  }

  /// What the item or effect of this number does.
  func plan(forFollower index: Int) -> FollowerPlan {
    index < followers.count ? followers[index] : FollowerPlan()
  }

  /// What is done on the way of this action.
  fileprivate var nested: [Operation] {
    links.flatMap { $0.before + $0.after } + (sight?.operations ?? [])
      + followers.flatMap(\.operations)
  }

  fileprivate func mapNested(_ map: ([Operation]) -> [Operation]) -> Step {
    var step = self
    for index in links.indices {
      step.links[index].before = map(links[index].before)
      step.links[index].after = map(links[index].after)
    }
    if let sight { step.sight = Sight(turn: sight.turn, operations: map(sight.operations)) }
    for index in followers.indices {
      step.followers[index].operations = map(followers[index].operations)
    }
    return step
  }
}
