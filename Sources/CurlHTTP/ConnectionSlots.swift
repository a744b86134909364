/// Decides which requests may use a connection now and which wait, as a pure value.
///
/// Requests wait here and not in libcurl, where the wait would eat their time limit. Each host has
/// a number of slots, and so has the client; who came first goes first, except that a host without
/// a free slot holds nobody else up.
struct ConnectionSlots {
  private struct Host {
    var active = 0
    /// Identities in order of arrival; those that have left are skipped, not searched for.
    var waiting: [UInt64] = []
    var first = 0
  }

  private let slotsPerHost: Int
  private let slotsInAll: Int
  private var hosts: [String: Host] = [:]
  private var hostOfActive: [UInt64: String] = [:]
  private var hostOfWaiting: [UInt64: String] = [:]

  /// Creates slots, at least one of each kind.
  init(perHost: Int, inAll: Int) {
    slotsPerHost = max(1, perHost)
    slotsInAll = max(1, inAll)
  }

  /// How many requests use a connection.
  var activeCount: Int { hostOfActive.count }

  /// How many requests wait.
  var waitingCount: Int { hostOfWaiting.count }

  /// Lines a request up.
  ///
  /// Identities grow with the order of arrival.
  mutating func enqueue(_ id: UInt64, host: String) {
    hosts[host, default: Host()].waiting.append(id)
    hostOfWaiting[id] = host
  }

  /// Takes a request that waits out of the queue.
  mutating func withdraw(_ id: UInt64) {
    guard let host = hostOfWaiting.removeValue(forKey: id) else { return }
    skipWithdrawn(host)
  }

  /// Gives back the slot of a request that is done.
  mutating func release(_ id: UInt64) {
    guard let host = hostOfActive.removeValue(forKey: id) else { return }
    hosts[host]?.active -= 1
    skipWithdrawn(host)
  }

  /// Whether `grant` would grant a slot.
  var canGrant: Bool { next != nil }

  /// Grants the next free slot, or returns nil when none is free for anyone who waits.
  mutating func grant() -> UInt64? {
    guard let next else { return nil }
    hosts[next.host]?.active += 1
    hostOfWaiting[next.id] = nil
    hostOfActive[next.id] = next.host
    skipWithdrawn(next.host)
    return next.id
  }

  /// Who has waited longest among those whose host has a free slot.
  private var next: (id: UInt64, host: String)? {
    guard activeCount < slotsInAll, waitingCount > 0 else { return nil }
    var next: (id: UInt64, host: String)?
    for (name, host) in hosts where host.active < slotsPerHost && host.first < host.waiting.count {
      let id = host.waiting[host.first]
      if next.map({ id < $0.id }) ?? true { next = (id, name) }
    }
    return next
  }

  /// Moves the head of a host's queue to someone who still waits, and forgets an idle host.
  private mutating func skipWithdrawn(_ name: String) {
    guard var host = hosts.removeValue(forKey: name) else { return }
    while host.first < host.waiting.count, hostOfWaiting[host.waiting[host.first]] == nil {
      host.first += 1
    }
    // Removing from the front moves what remains, so it is done once for many.
    if host.first > 64 && host.first * 2 > host.waiting.count {
      host.waiting.removeFirst(host.first)
      host.first = 0
    }
    if host.active > 0 || host.first < host.waiting.count { hosts[name] = host }
  }
}
