/// Something that happened while a program ran.
enum Event: Equatable, Sendable {
  /// A dispatch began; `returned` says that it is over, and how many actions the state then had.
  case dispatched(step: Int)
  case returned(step: Int, count: Int?)
  /// The same for what was sent to a kept `next` or dispatch function.
  case sent(step: Int)
  case resumed(step: Int)
  case entered(link: Int, step: Int, dispatch: UInt64)
  /// `next` returned: in which commit, if any, and how many actions the state had in it, if asked.
  case passed(link: Int, step: Int, commit: UInt64?, count: Int?)
  case left(link: Int, step: Int)
  case reduced(step: Int, kind: Kind)
  case told(observer: Int, Mark)
  case toldEnded(observer: Int)
  case followed(follower: Int, step: Int)
  /// A follower is done with the turn it was given, and later perhaps with what it suspended in.
  case followedEnded(follower: Int, step: Int)
  case wentOn(follower: Int, step: Int)
  case subscribing(observer: Int)
  case subscribed(observer: Int)
  case cancelled(observer: Int, inFollowUp: Bool)
  /// A token was dropped that another thread still held for a moment, which then ends it.
  case dropped(observer: Int)
  case read(count: Int?)
  /// `finish()` returned for this action of a thread.
  case finished(step: Int)
  case diagnosed(String)
}

/// What an observer is told: how many actions there were, and which was the last.
struct Mark: Equatable, Sendable {
  var position = 0
  var step = -1
}
