/// Observers that subscribed one after the other, select values of one type and are told news of
/// one type, so that a pass over them neither allocates nor counts references for each.
@usableFromInline
struct ObserverGroup<State: Sendable, Value: Sendable, News: Sendable>: Sendable {
  /// Answers what is news for an observer after an action, given the value last selected, and puts
  /// the new value in its place; without an action, as it subscribes.
  @usableFromInline
  typealias Evaluation =
    @Sendable (State, (any Action)?, DispatchIdentity?, inout Value?) -> News?

  @usableFromInline struct Member: Sendable {
    @usableFromInline let off: StoreSubscription.Switch
    @usableFromInline let evaluate: Evaluation
    @usableFromInline let receive: @Sendable (News) -> Void

    @inlinable
    init(
      off: StoreSubscription.Switch, evaluate: @escaping Evaluation,
      receive: @escaping @Sendable (News) -> Void
    ) {
      self.off = off
      self.evaluate = evaluate
      self.receive = receive
    }
  }

  /// What is news for the member at an index.
  @usableFromInline struct Delivery: Sendable {
    @usableFromInline let index: Int
    @usableFromInline let news: News

    @inlinable
    init(_ index: Int, _ news: News) {
      self.index = index
      self.news = news
    }
  }

  /// The numbers of the members; rising, because members are only ever appended.
  @usableFromInline var ids: [UInt64] = []
  @usableFromInline var members: [Member] = []
  /// The value last selected for each member; nil for one that does not compare.
  @usableFromInline var values: [Value?] = []
  @usableFromInline var removed = 0
  /// Stands where a member was removed.
  @usableFromInline let nobody = Member(
    off: .turnedOff, evaluate: { _, _, _, _ in nil }, receive: { _ in })

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ member: Member, id: UInt64, value: Value?) {
    ids.append(id)
    members.append(member)
    values.append(value)
  }

  /// Queues, as one piece of work, what an action made news for the members.
  @inlinable
  mutating func queueNews(
    of state: State, by action: any Action, _ identity: DispatchIdentity, into queue: inout [Work]
  ) {
    let (first, others) = Self.deliveries(members, &values, state, action, identity)
    guard let first else { return }
    let generation = identity.generation
    queue.append(
      others.isEmpty
        ? Self.work(first.news, to: members[first.index], generation: generation)
        : Self.work(first, others, to: members, generation: generation))
  }

  /// Evaluates the members; often there is one delivery, which needs no array.
  ///
  /// Spans lend their elements, where arrays would retain and release what they hand out.
  @inlinable
  static func deliveries(
    _ members: [Member], _ values: inout [Value?],
    _ state: State, _ action: (any Action)?, _ identity: DispatchIdentity?
  ) -> (first: Delivery?, others: [Delivery]) {
    var first: Delivery?
    var others: [Delivery] = []
    let members = members.span
    var values = values.mutableSpan
    for index in members.indices where !members[index].off.isOff {
      guard let news = members[index].evaluate(state, action, identity, &values[index]) else {
        continue
      }
      if first == nil {
        first = Delivery(index, news)
      } else {
        if others.isEmpty { others.reserveCapacity(members.count - index) }
        others.append(Delivery(index, news))
      }
    }
    return (first, others)
  }

  @inlinable
  static func work(_ news: News, to member: Member, generation: UInt32 = 0) -> Work {
    let (off, receive) = (member.off, member.receive)
    return Work(generation: generation) { if !off.isOff { receive(news) } }
  }

  /// Holds the members as they are now, so that none has to be retained for itself.
  @inlinable
  static func work(
    _ first: Delivery, _ others: [Delivery], to members: [Member], generation: UInt32
  ) -> Work {
    Work(generation: generation) {
      let (others, members) = (others.span, members.span)
      if !members[first.index].off.isOff { members[first.index].receive(first.news) }
      for index in others.indices {
        let member = others[index].index
        if !members[member].off.isOff { members[member].receive(others[index].news) }
      }
    }
  }

  /// Removes a member in logarithmic time, amortised; returns what holds all that it captured, or
  /// nil if it is not there.
  @inlinable
  mutating func remove(id: UInt64) -> (@Sendable () -> Void)? {
    let index = ids.partitioningIndex { $0 >= id }
    guard index < ids.count, ids[index] == id, members[index].off !== nobody.off else {
      return nil
    }
    var member = nobody
    swap(&member, &members[index])
    let value = values[index].take()
    removed += 1
    if removed > 32, removed * 2 > ids.count { compact() }
    return { [member] in _ = (member, value) }
  }

  @inlinable
  mutating func compact() {
    let left = members.indices.filter { members[$0].off !== nobody.off }
    (ids, values) = (left.map { ids[$0] }, left.map { values[$0] })
    members = left.map { members[$0] }
    removed = 0
  }
}

extension Array {
  /// Returns the first index whose element satisfies `predicate`, as do all after it.
  @inlinable
  func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
