/// Makes a program that fails as short as it can, one change after the other.
enum Shrinker {
  /// Takes from a program whatever it fails without: ever smaller runs of operations, as in delta
  /// debugging, then operations around others, links, followers and decisions, until nothing is
  /// left.
  ///
  /// - Parameters:
  ///   - program: a program that fails.
  ///   - fails: whether a program fails; asked often.
  /// - Returns: a program that fails.
  static func shrink(
    _ program: Program, while fails: (Program) async -> Bool
  ) async -> Program {
    var shortest = program
    var isShorter = true
    while isShorter {
      let before = shortest
      shortest = await removeOperations(from: shortest, while: fails)
      shortest = await unwrapOperations(of: shortest, while: fails)
      shortest = await simplify(shortest, while: fails)
      isShorter = shortest != before
    }
    return shortest
  }

  private static func removeOperations(
    from program: Program, while fails: (Program) async -> Bool
  ) async -> Program {
    var shortest = program
    var length = max(1, program.operationCount / 2)
    while true {
      var start = 0
      while start < shortest.operationCount {
        let candidate = shortest.removing(start..<start + length)
        if await fails(candidate) { shortest = candidate } else { start += length }
      }
      if length == 1 { return shortest }
      length /= 2
    }
  }

  private static func unwrapOperations(
    of program: Program, while fails: (Program) async -> Bool
  ) async -> Program {
    var shortest = program
    var index = 0
    while index < shortest.operationCount {
      let candidate = shortest.unwrapping(index)
      if await fails(candidate) { shortest = candidate } else { index += 1 }
    }
    return shortest
  }

  private static func simplify(
    _ program: Program, while fails: (Program) async -> Bool
  ) async -> Program {
    var shortest = program
    for change in simplifications {
      var candidate = shortest
      change(&candidate)
      if candidate != shortest, await fails(candidate) { shortest = candidate }
    }
    return shortest
  }

  private static let simplifications: [@Sendable (inout Program) -> Void] = [
    { $0.linkCount = 0 },
    { $0.linkCount = max(0, $0.linkCount - 1) },
    { $0.followers = [] },
    { $0.followers = Array($0.followers.dropLast()) },
    { program in
      while program.threads.count > 1, program.threads.last == [] { program.threads.removeLast() }
    },
    { program in
      program = program.mapSteps { step in
        for index in step.links.indices { step.links[index].decision = .pass }
      }
    },
    { program in
      program = program.mapSteps { step in
        for index in step.followers.indices { step.followers[index].suspends = false }
      }
    },
  ]
}

extension Program {
  /// Returns the program with each action changed.
  fileprivate func mapSteps(_ change: (inout Step) -> Void) -> Program {
    mapOperations { operation in
      switch operation {
      case .dispatch(var step):
        change(&step)
        return [.dispatch(step)]
      case .send(let slot, var step):
        change(&step)
        return [.send(slot, step)]
      case .subscribe, .cancel, .drop, .read, .keep, .release: return [operation]
      }
    }
  }
}
