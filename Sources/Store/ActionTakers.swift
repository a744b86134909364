/// Who waits for an action, or for a state: they are asked in each commit that concerns them, and told
/// in follow-up.
///
/// Each is told once. All who wait for an action are told of it, in the order of their numbers. A
/// commit asks those who wait for the type of its action, and those who wait for any; to wait no more
/// takes constant time.
@usableFromInline
struct ActionTakers<State: Sendable>: Sendable {
  @usableFromInline
  struct Taker: Sendable {
    let id: UInt64
    /// The only type of action it is asked about; nil for all.
    let type: (any Action.Type)?
    /// Whether this is what it waits for; called in the critical section, and pure.
    let matches: @Sendable (any Action, State) -> Bool
    let deliver: @Sendable (any Action) -> Void
  }

  /// The type that each of them waits for; nil for all.
  @usableFromInline private(set) var types: [UInt64: ObjectIdentifier?] = [:]
  /// Those who wait for actions of one type, or of any; none is kept without a taker.
  private var takers: [ObjectIdentifier?: [UInt64: Taker]] = [:]

  @usableFromInline
  init() {}

  @inlinable var isEmpty: Bool { types.isEmpty }

  mutating func insert(_ taker: Taker) {
    let type = taker.type.map { ObjectIdentifier($0) }
    types[taker.id] = .some(type)
    takers[type, default: [:]][taker.id] = taker
  }

  /// Takes one out; nil if it does not wait.
  mutating func remove(id: UInt64) -> Taker? {
    guard let type = types.removeValue(forKey: id) else { return nil }
    defer { if takers[type]?.isEmpty == true { takers[type] = nil } }
    return takers[type]?.removeValue(forKey: id)
  }

  /// Removes those who waited for this, and returns how to tell them.
  @usableFromInline
  mutating func take(_ action: any Action, _ state: State) -> [@Sendable () -> Void] {
    func matching(_ type: ObjectIdentifier?) -> [Taker] {
      takers[type]?.values.filter { $0.matches(action, state) } ?? []
    }
    var matching = matching(ObjectIdentifier(type(of: action))) + matching(nil)
    guard !matching.isEmpty else { return [] }
    matching.sort { $0.id < $1.id }
    for taker in matching { _ = remove(id: taker.id) }
    return matching.map { taker in { taker.deliver(action) } }
  }
}
