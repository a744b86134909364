/// Decides which requests may use a connection now and which wait, as a pure value.
///
/// Requests wait here and not in libcurl, where the wait would eat their time limit. Each host has
/// a number of connections, and so has the client; who came first goes first, except that a host
/// without a free one holds nobody else up.
///
/// A request counts as a connection until its host has shown that it speaks HTTP/2. From then on
/// those that may share one count as one for every hundred, the number of streams that libcurl puts
/// on a connection; one that cannot share counts as before. A server that allows fewer streams gets
/// more connections, up to the host's number.
struct ConnectionSlots {
  /// How many requests share a connection of HTTP/2.
  static let streamsPerConnection = 100

  private struct Host {
    /// How many requests count as a connection each.
    var exclusive = 0
    /// How many requests share connections.
    var sharing = 0
    var isMultiplexed = false
    /// Identities in order of arrival; those that have left are skipped, not searched for.
    var waiting: [UInt64] = []
    var first = 0

    var connections: Int {
      exclusive + (sharing + streamsPerConnection - 1) / streamsPerConnection
    }

    /// Moves the head of the queue to someone who has not left; answers whether nobody is there, nor
    /// uses a connection.
    mutating func skip(_ hasLeft: (UInt64) -> Bool) -> Bool {
      while first < waiting.count, hasLeft(waiting[first]) { first += 1 }
      // Removing from the front moves what remains, so it is done once for many.
      if first > 64 && first * 2 > waiting.count {
        waiting.removeFirst(first)
        first = 0
      }
      return exclusive == 0 && sharing == 0 && first == waiting.count
    }
  }

  private struct Place {
    var host: String
    var isExclusive: Bool
  }

  private let connectionsPerHost: Int
  private let connectionsInAll: Int
  private var connections = 0
  private var hosts: [String: Host] = [:]
  private var active: [UInt64: Place] = [:]
  private var waiting: [UInt64: Place] = [:]

  /// Creates slots, at least one of each kind.
  init(perHost: Int, inAll: Int) {
    connectionsPerHost = max(1, perHost)
    connectionsInAll = max(1, inAll)
  }

  /// How many requests use a connection.
  var activeCount: Int { active.count }

  /// How many requests wait.
  var waitingCount: Int { waiting.count }

  /// Lines a request up.
  ///
  /// Identities grow with the order of arrival. A request that cannot share a connection has one to
  /// itself, whatever its host speaks.
  mutating func enqueue(_ id: UInt64, host: String, canShareConnection: Bool = true) {
    hosts[host, default: Host()].waiting.append(id)
    waiting[id] = Place(host: host, isExclusive: !canShareConnection)
  }

  /// Takes a request that waits out of the queue.
  mutating func withdraw(_ id: UInt64) {
    guard let place = waiting.removeValue(forKey: id) else { return }
    skipWithdrawn(place.host)
  }

  /// Gives back the slot of a request that is done.
  mutating func release(_ id: UInt64) {
    guard let place = active.removeValue(forKey: id) else { return }
    count(place, by: -1)
    skipWithdrawn(place.host)
  }

  /// A host has answered, in a version that lets requests share a connection or in one that does
  /// not.
  ///
  /// It is remembered while the host has requests.
  mutating func learn(_ host: String, isMultiplexed: Bool) {
    hosts[host]?.isMultiplexed = isMultiplexed
  }

  /// Whether `grant` would grant a slot.
  var canGrant: Bool { next != nil }

  /// Grants the next free slot, or returns nil when none is free for anyone who waits.
  mutating func grant() -> UInt64? {
    guard let (id, place) = next else { return nil }
    waiting[id] = nil
    active[id] = place
    count(place, by: 1)
    skipWithdrawn(place.host)
    return id
  }

  /// Who has waited longest among those for whom there is a connection, and how they will count.
  private var next: (id: UInt64, place: Place)? {
    guard !waiting.isEmpty else { return nil }
    var next: (id: UInt64, place: Place)?
    for (name, host) in hosts where host.first < host.waiting.count {
      let id = host.waiting[host.first]
      guard next.map({ id < $0.id }) ?? true, let isExclusive = waiting[id]?.isExclusive else {
        continue
      }
      var later = host
      let place = Place(host: name, isExclusive: isExclusive || !host.isMultiplexed)
      if place.isExclusive { later.exclusive += 1 } else { later.sharing += 1 }
      let added = later.connections - host.connections
      guard later.connections <= connectionsPerHost, connections + added <= connectionsInAll else {
        continue
      }
      next = (id, place)
    }
    return next
  }

  private mutating func count(_ place: Place, by change: Int) {
    guard let index = hosts.index(forKey: place.host) else { return }
    connections -= hosts.values[index].connections
    if place.isExclusive {
      hosts.values[index].exclusive += change
    } else {
      hosts.values[index].sharing += change
    }
    connections += hosts.values[index].connections
  }

  /// Moves the head of a host's queue to someone who still waits, and forgets an idle host.
  private mutating func skipWithdrawn(_ name: String) {
    guard let index = hosts.index(forKey: name) else { return }
    let isIdle = hosts.values[index].skip { waiting[$0] == nil }
    if isIdle { hosts.remove(at: index) }
  }
}
