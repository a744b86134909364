/// The observers of a store in the order they subscribed.
@usableFromInline
struct ObserverList<State: Sendable> {
  @usableFromInline struct Slot {
    @usableFromInline let id: UInt64
    /// Answers what to do because the state is now this, or nil if that is nothing new.
    ///
    /// Called only while the store is locked, so it may remember what it queued last. Nil where an
    /// observer was removed.
    @usableFromInline var evaluate: ((State) -> Work?)?
    /// Holds what the observer captured, so that it can be released when the store is not locked.
    @usableFromInline var captured: (@Sendable () -> Void)?

    @inlinable
    init(
      id: UInt64, captured: @escaping @Sendable () -> Void, evaluate: @escaping (State) -> Work?
    ) {
      self.id = id
      self.captured = captured
      self.evaluate = evaluate
    }
  }

  /// Rising in `id`, because observers are only ever appended.
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var removed = 0

  @inlinable
  init() {}

  @inlinable
  mutating func queueChanges(of state: State, into queue: inout [Work]) {
    for slot in slots {
      if let work = slot.evaluate?(state) { queue.append(work) }
    }
  }

  @inlinable
  mutating func append(
    id: UInt64, capturing captured: @escaping @Sendable () -> Void,
    _ evaluate: @escaping (State) -> Work?
  ) {
    slots.append(Slot(id: id, captured: captured, evaluate: evaluate))
  }

  /// Removes an observer in logarithmic time, amortised; one that is not there is no error.
  ///
  /// Returns what to release when the store is not locked any more.
  mutating func remove(id: UInt64) -> (@Sendable () -> Void)? {
    var low = 0
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].id < id { low = middle + 1 } else { high = middle }
    }
    guard low < slots.count, slots[low].id == id, slots[low].evaluate != nil else { return nil }
    let captured = slots[low].captured
    (slots[low].evaluate, slots[low].captured) = (nil, nil)
    removed += 1
    if removed > 32, removed * 2 > slots.count {
      slots.removeAll { $0.evaluate == nil }
      removed = 0
    }
    return captured
  }
}

// What an observer was told last is remembered without a lock of its own: the store's protects it.
@available(*, unavailable)
extension ObserverList: Sendable {}

@available(*, unavailable)
extension ObserverList.Slot: Sendable {}
