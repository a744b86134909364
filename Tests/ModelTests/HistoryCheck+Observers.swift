extension HistoryCheck {
  /// An observer of the history: its selection, and when what happened to it.
  private struct Observer {
    var selection: Selection
    var initial: Bool
    var subscribing = 0
    var subscribed = Int.max
    var told: [(time: Int, mark: Mark)] = []
    /// The first cancel to return, and the first to return on the thread that follows up.
    var cancelled = Int.max
    var isDropped = false
    var cancelledInFollowUp = Int.max
  }

  /// Every change is told, in order, once, from the subscription to its end, and the initial value
  /// first.
  mutating func checkObservers() {
    var observers: [Int: Observer] = [:]
    _ = program.mapOperations { operation in
      if case .subscribe(let number, let selection, let initial) = operation {
        observers[number] = Observer(selection: selection, initial: initial)
      }
      return [operation]
    }
    for entry in entries {
      switch entry.event {
      case .subscribing(let number): observers[number]?.subscribing = entry.time
      case .subscribed(let number): observers[number]?.subscribed = entry.time
      case .told(let number, let mark): observers[number]?.told.append((entry.time, mark))
      case .dropped(let number): observers[number]?.isDropped = true
      case .cancelled(let number, let inFollowUp):
        guard var observer = observers[number] else { break }
        observer.cancelled = min(observer.cancelled, entry.time)
        if inFollowUp {
          observer.cancelledInFollowUp = min(observer.cancelledInFollowUp, entry.time)
        }
        observers[number] = observer
      default: break
      }
    }

    let tallies = states
    for (number, observer) in observers.sorted(by: { $0.key < $1.key })
    where observer.subscribing > 0 {
      check(number, observer, tallies)
    }
  }

  /// The states that the store went through.
  private var states: [Tally] {
    var states = [Tally()]
    var tally = Tally()
    for reduction in reductions {
      tally.add(reduction.step, kind: reduction.kind)
      states.append(tally)
    }
    return states
  }

  private mutating func check(_ number: Int, _ observer: Observer, _ states: [Tally]) {
    let told = observer.told.map(\.mark)
    let order = reductions.map(\.step)
    let earliest = reduced(before: observer.subscribing)
    let latest =
      observer.subscribed == .max ? reductions.count : reduced(before: observer.subscribed)
    let marks = states.map { $0.mark(observer.selection) }
    let isPossible = (earliest...latest).contains { position in
      let changes = (position..<reductions.count).filter { index in
        observer.selection == .whole || marks[index] != marks[index + 1]
      }
      let expected = (observer.initial ? [marks[position]] : []) + changes.map { marks[$0 + 1] }
      let isOver = observer.cancelled != .max || observer.isDropped
      return isOver ? expected.starts(with: told) : told == expected
    }
    require(
      isPossible,
      "S5, S6: observer \(number) of \(observer.selection), subscribed between \(earliest) and "
        + "\(latest) of \(order), was told \(told)")

    let late = observer.told.filter { $0.time > observer.cancelled }.count
    require(late <= 1, "S6: observer \(number) was told \(late) times after its end")
    require(
      !observer.told.contains { $0.time > observer.cancelledInFollowUp },
      "S6: observer \(number) was told after its end on the thread that follows up")
  }
}
