/// How the actions of one type are handled in one store.
@usableFromInline
final class Route<State: Sendable>: Sendable {
  /// All that the reducer does to such an action; nil if that is nothing.
  @usableFromInline let reduction: Reducer<State>.Reduction?
  @usableFromInline let handlers: [FollowUpHandler]

  @inlinable
  init(reductions: [Reducer<State>.Reduction], handlers: [FollowUpHandler]) {
    reduction = Reducer<State>.Reduction(reductions)
    self.handlers = handlers
  }
}

/// The routes of the action types that a store has met.
///
/// A dictionary would do, but spends most of a dispatch on hashing what is already a good hash: the
/// address of a type's metadata (`store.dispatch`).
@usableFromInline
struct RouteTable<State: Sendable>: Sendable {
  /// A power of two of places, at most half of them taken.
  @usableFromInline var places: [Place] = [Place](repeating: Place(), count: 16)
  @usableFromInline var count = 0

  @usableFromInline struct Place: Sendable {
    @usableFromInline var type: ObjectIdentifier?
    @usableFromInline var route: Route<State>?

    @inlinable
    init() {}
  }

  @inlinable
  init() {}

  /// The route of a type, or nil if it is new.
  @inlinable
  subscript(type: ObjectIdentifier) -> Route<State>? {
    places[place(of: type)].route
  }

  /// Adds the route of a type that is new.
  @inlinable
  mutating func add(_ route: Route<State>, for type: ObjectIdentifier) {
    if 2 * (count + 1) > places.count { grow() }
    let index = place(of: type)
    places[index].type = type
    places[index].route = route
    count += 1
  }

  /// Where a type is, or would be.
  @inlinable
  func place(of type: ObjectIdentifier) -> Int {
    // Metadata is aligned; multiplying by 2⁶⁴ over the golden ratio spreads what is left.
    let hash = (UInt64(UInt(bitPattern: type)) >> 4) &* 0x9E37_79B9_7F4A_7C15
    var index = Int(truncatingIfNeeded: hash >> 32) & (places.count - 1)
    while let taken = places[index].type, taken != type {
      index = (index + 1) & (places.count - 1)
    }
    return index
  }

  @usableFromInline
  mutating func grow() {
    let old = places
    places = [Place](repeating: Place(), count: 2 * old.count)
    count = 0
    for place in old {
      if let type = place.type, let route = place.route { add(route, for: type) }
    }
  }
}
