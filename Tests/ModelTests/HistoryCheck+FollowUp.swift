extension HistoryCheck {
  /// Where something stands in follow-up: of which commit it is, and where among what that has.
  private struct Place: Comparable {
    /// The number of actions reduced.
    var position: Int
    /// Observers come before items and effects.
    var isFollower: Bool
    var index: Int

    static func < (first: Place, second: Place) -> Bool {
      (first.position, first.isFollower ? 1 : 0, first.index)
        < (second.position, second.isFollower ? 1 : 0, second.index)
    }
  }

  /// Follow-up is first in, first out over the whole store, and done by one thread at a time.
  mutating func checkFollowUp() {
    var active: (event: Event, thread: ObjectIdentifier)?
    var latest: Place?
    var turns: [[Int]: Int] = [:]
    let positions = Dictionary(grouping: reductions.indices) { reductions[$0].step }
    /// When each observer's subscription began and had ended.
    var subscriptions: [Int: (begun: Int, ended: Int)] = [:]
    var initials: Set<Int> = []
    /// The observer that was told last, and of what change.
    var latestTold: (observer: Int, position: Int)?

    for entry in entries {
      var place: Place?
      switch entry.event {
      case .subscribing(let observer): subscriptions[observer] = (entry.time, .max)
      case .subscribed(let observer): subscriptions[observer]?.ended = entry.time
      case .told(let observer, let mark):
        require(
          active == nil,
          "S3: observer \(observer) was told during \(String(describing: active?.event))")
        active = (entry.event, entry.thread)
        // The first call may be the initial value, which is no change and has its own place.
        let isFirst = initials.insert(observer).inserted
        if !isFirst, mark.step >= 0 {
          place = Place(position: mark.position, isFollower: false, index: 0)
          if let latest = latestTold, latest.position == mark.position {
            let (first, second) = (subscriptions[latest.observer], subscriptions[observer])
            require(
              (second?.ended ?? .max) > (first?.begun ?? 0),
              "S6: observer \(observer) was told after \(latest.observer), which came later")
          }
          latestTold = (observer, mark.position)
        }
      case .followed(let index, let step):
        require(
          active == nil, "S3: follower \(index) began during \(String(describing: active?.event))")
        active = (entry.event, entry.thread)
        let kind = program.followers[index].kind
        let own = positions[step, default: []].filter { reductions[$0].kind == kind }
        let turn = turns[[index, step], default: 0]
        turns[[index, step]] = turn + 1
        if turn < own.count {
          place = Place(position: own[turn] + 1, isFollower: true, index: index)
        }
      case .toldEnded, .followedEnded:
        require(active?.thread == entry.thread, "S3: follow-up ended on another thread")
        active = nil
      default: break
      }
      guard let place else { continue }
      if let latest {
        require(latest <= place, "S3: \(entry.event) came too late, after \(latest)")
      }
      latest = place
    }
    require(active == nil, "S3: follow-up did not end")
  }
}
