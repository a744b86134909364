internal import Synchronization

/// The subscriptions of one object, which end with its life.
final class ObjectSubscriptions: Sendable {
  private weak let object: (any AnyObject & Sendable)?
  private let ended = Atomic<Bool>(false)
  private let tokens = Lock<[StoreSubscription]>([])

  init(_ object: any AnyObject & Sendable) { self.object = object }

  /// Whether nothing may be told to the object any more.
  var isEnded: Bool { ended.load(ordering: .acquiring) }

  /// Whether the object is gone.
  ///
  /// The question may be the last to hold it, and then releases it: not to be asked
  /// in a critical section, unless the caller has the object.
  var isOrphaned: Bool { object == nil }

  /// Keeps a subscription until the end, which may have come already.
  func keep(_ token: StoreSubscription) {
    tokens.withLock { $0.append(token) }
    if isEnded { end() }
  }

  /// Ends all of them.
  func end() {
    ended.store(true, ordering: .releasing)
    let tokens = tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
    for token in tokens { token.cancel() }
  }
}

/// The objects that subscribed to one store.
struct SubscribedObjects: Sendable {
  private var subscriptions: [ObjectIdentifier: ObjectSubscriptions] = [:]
  private var mostBeforeSweep = 32

  /// Returns the subscriptions of an object, which the caller has, and those of another one that
  /// had the same address, which are to be ended when nothing is locked.
  mutating func subscriptions(
    of object: any AnyObject & Sendable
  ) -> (own: ObjectSubscriptions, orphan: ObjectSubscriptions?) {
    let id = ObjectIdentifier(object)
    if let known = subscriptions[id], !known.isOrphaned { return (known, nil) }
    let new = ObjectSubscriptions(object)
    return (new, subscriptions.updateValue(new, forKey: id))
  }

  /// Forgets an object, and returns what is to be ended when nothing is locked.
  mutating func remove(_ id: ObjectIdentifier) -> ObjectSubscriptions? {
    subscriptions.removeValue(forKey: id)
  }

  mutating func remove(_ orphans: [ObjectSubscriptions]) {
    let ids = Set(orphans.map(ObjectIdentifier.init))
    subscriptions = subscriptions.filter { !ids.contains(ObjectIdentifier($0.value)) }
    mostBeforeSweep = max(32, 2 * subscriptions.count)
  }

  /// All subscriptions, if it is time to look which of them are orphaned.
  var toSweep: [ObjectSubscriptions] {
    subscriptions.count > mostBeforeSweep ? Array(subscriptions.values) : []
  }
}
