/// The observers of a store in the order they subscribed.
@usableFromInline
struct ObserverList<State: Sendable> {
  /// A group of observers, whatever they select.
  ///
  /// Its closures are made where the types are known, so that a pass runs code specialised for
  /// them.
  @usableFromInline struct Slot {
    /// An ``ObserverGroup`` in a box, which the closures change.
    @usableFromInline let group: AnyObject
    @usableFromInline let queueNews:
      (_ state: State, _ action: any Action, DispatchIdentity, inout [Work]) -> Void
    /// Removes an observer; returns what holds all that it captured, or nil if it is not there.
    @usableFromInline let remove: (_ id: UInt64) -> (@Sendable () -> Void)?
    /// The number of its youngest observer, which may have been removed since.
    @usableFromInline var lastID: UInt64
    @usableFromInline var count = 0

    @inlinable
    init<Value: Sendable, News: Sendable>(_ group: Box<ObserverGroup<State, Value, News>>) {
      self.group = group
      queueNews = { group.value.queueNews(of: $0, by: $1, $2, into: &$3) }
      remove = { group.value.remove(id: $0) }
      lastID = 0
    }
  }

  /// Something that closures share.
  @usableFromInline final class Box<Value> {
    @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) { self.value = value }
  }

  /// Rising in the numbers of their observers, because observers are only ever appended.
  @usableFromInline var slots: [Slot] = []
  /// How many slots lost their last observer; one may have a new one since.
  @usableFromInline var emptied = 0

  @usableFromInline var lastID: UInt64 = 0

  @inlinable
  init() {}

  /// The number of an observer that is about to be appended.
  @inlinable
  mutating func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }

  @inlinable
  mutating func append<Value: Sendable, News: Sendable>(
    _ member: ObserverGroup<State, Value, News>.Member, id: UInt64, value: Value?
  ) {
    let group: Box<ObserverGroup<State, Value, News>>
    if let last = slots.last?.group as? Box<ObserverGroup<State, Value, News>> {
      group = last
    } else {
      group = Box(ObserverGroup())
      slots.append(Slot(group))
    }
    group.value.append(member, id: id, value: value)
    slots[slots.count - 1].lastID = id
    slots[slots.count - 1].count += 1
  }

  @inlinable
  func queueNews(
    of state: State, by action: any Action, _ identity: DispatchIdentity, into queue: inout [Work]
  ) {
    for slot in slots { slot.queueNews(state, action, identity, &queue) }
  }

  /// Removes an observer; one that is not there is no error.
  ///
  /// Returns what to release when the store is not locked any more.
  mutating func remove(id: UInt64) -> (@Sendable () -> Void)? {
    let index = slots.partitioningIndex { $0.lastID >= id }
    guard index < slots.count, let captured = slots[index].remove(id) else { return nil }
    slots[index].count -= 1
    if slots[index].count == 0 { emptied += 1 }
    if emptied > 32, emptied * 2 > slots.count {
      slots.removeAll { $0.count == 0 }
      emptied = 0
    }
    return captured
  }
}

// What an observer was told last is remembered without a lock of its own: the store's protects it.
@available(*, unavailable)
extension ObserverList: Sendable {}

@available(*, unavailable)
extension ObserverList.Slot: Sendable {}

@available(*, unavailable)
extension ObserverList.Box: Sendable {}
