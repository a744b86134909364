/// What threads do to one store: a value, so that it can be replayed, made shorter and printed.
struct Program: Equatable, Sendable {
  /// How many links the chain has; what each does with an action stands in its ``Step``.
  var linkCount = 0
  var followers: [Follower] = []
  /// What each thread does, from its first operation to its last.
  var threads: [[Operation]] = []
  /// Whether the test keeps the store too; if not, it ends with the last thread that lets go.
  var isKept = false

  /// An item or an effect for the actions of one kind.
  struct Follower: Equatable, Sendable {
    var kind: Kind
    var isEffect: Bool
  }
}

/// The kinds of action, each a type of its own to the store.
enum Kind: String, CaseIterable, Sendable {
  case red, green, blue
  /// Handled by no reducer.
  case unheard
}

/// One thing that code around a store can do, on a thread or in a callback.
enum Operation: Equatable, Sendable {
  case dispatch(Step)
  case subscribe(Int, Selection, initial: Bool)
  /// Cancels the token of this observer, which stays.
  case cancel(Int)
  /// Drops the token of this observer.
  case drop(Int)
  case read
  /// Keeps the `next` of the link, or the dispatch function of the item, that this is done in.
  case keep(Int)
  /// Passes an action to what was kept under this number.
  case send(Int, Step)
  /// Lets go of the reference to the store that a thread holds.
  case release(thread: Int)
}

/// What an observer selects.
enum Selection: Equatable, Sendable {
  case whole
  /// The last action of a kind.
  case last(Kind)
  /// Half the number of actions, which skips every other change.
  case half
  /// Whether the number of actions is odd, so that values come again.
  case parity
  case constant
}

/// One action, with everything that is done on its way: the action itself carries it.
struct Step: Equatable, Sendable {
  var id: Int
  var kind: Kind
  /// What each link does; those beyond the end pass the action on.
  var links: [LinkPlan] = []
  /// What is done by the observer call that is this many times the first to show the action.
  var sight: Sight?
  /// What each item or effect does; those beyond the end do nothing.
  var followers: [FollowerPlan] = []
}

struct Sight: Equatable, Sendable {
  var turn: Int
  var operations: [Operation]
}

struct FollowerPlan: Equatable, Sendable {
  /// Whether an effect suspends before it goes on.
  var suspends = false
  var operations: [Operation] = []
}

struct LinkPlan: Equatable, Sendable {
  var before: [Operation] = []
  var decision = Decision.pass
  var after: [Operation] = []

  enum Decision: Equatable, Sendable {
    case pass, passReading, passTwice, swallow
    case replace(Kind)
  }
}
