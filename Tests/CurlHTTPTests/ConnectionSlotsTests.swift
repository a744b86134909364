import TestSupport
import Testing

@testable import CurlHTTP

@Suite
struct ConnectionSlotsTests {
  @Test func `H12: a host gets no more than its slots, in order of arrival`() {
    var slots = ConnectionSlots(perHost: 2, inAll: 10)
    for id in 1...4 { slots.enqueue(UInt64(id), host: "a") }
    #expect(slots.grantAll() == [1, 2])
    slots.release(2)
    #expect(slots.grantAll() == [3])
    slots.release(1)
    slots.release(3)
    #expect(slots.grantAll() == [4])
  }

  @Test func `H12: a full host does not hold up another`() {
    var slots = ConnectionSlots(perHost: 1, inAll: 10)
    slots.enqueue(1, host: "a")
    slots.enqueue(2, host: "a")
    slots.enqueue(3, host: "b")
    #expect(slots.grantAll() == [1, 3])
  }

  @Test func `H12: the limit over all hosts holds, and who came first goes first`() {
    var slots = ConnectionSlots(perHost: 8, inAll: 2)
    for (id, host) in [(1, "a"), (2, "b"), (3, "c"), (4, "a")] {
      slots.enqueue(UInt64(id), host: host)
    }
    #expect(slots.grantAll() == [1, 2])
    slots.release(1)
    #expect(slots.grantAll() == [3])
    slots.release(2)
    #expect(slots.grantAll() == [4])
  }

  @Test func `H12: where HTTP/2 is spoken a hundred requests count as one connection`() {
    var slots = ConnectionSlots(perHost: 2, inAll: 3)
    for id in 1...400 { slots.enqueue(UInt64(id), host: "a") }
    // Before anybody has answered nothing is known.
    #expect(slots.grantAll() == [1, 2])
    slots.learn("a", isMultiplexed: true)
    // The first two go on counting as they did.
    #expect(slots.grantAll() == [])
    slots.release(1)
    #expect(slots.grantAll() == [UInt64](3...102))
    slots.release(2)
    #expect(slots.grantAll() == [UInt64](103...202))
    // One more would need a third connection; one that can share has room as soon as one is done.
    slots.release(3)
    #expect(slots.grantAll() == [203])
    // The host takes two of the three connections there are.
    slots.enqueue(401, host: "b")
    slots.enqueue(402, host: "c")
    #expect(slots.grantAll() == [401])
    slots.learn("a", isMultiplexed: false)
    for id in UInt64(4)...203 { slots.release(id) }
    #expect(slots.grantAll() == [204, 205])
  }

  @Test func `H12: a request that cannot share counts as a connection where others share one`() {
    var slots = ConnectionSlots(perHost: 2, inAll: 10)
    slots.enqueue(1, host: "a")
    #expect(slots.grantAll() == [1])
    slots.learn("a", isMultiplexed: true)
    slots.enqueue(2, host: "a", canShareConnection: false)
    slots.enqueue(3, host: "a")
    #expect(slots.grantAll() == [2])
    slots.release(1)
    #expect(slots.grantAll() == [3])
    slots.enqueue(4, host: "a", canShareConnection: false)
    slots.enqueue(5, host: "a")
    #expect(slots.grantAll() == [])
    slots.release(2)
    #expect(slots.grantAll() == [4, 5])
  }

  @Test func `H10: who leaves the queue is skipped and takes no slot`() {
    var slots = ConnectionSlots(perHost: 1, inAll: 10)
    for id in 1...4 { slots.enqueue(UInt64(id), host: "a") }
    #expect(slots.grantAll() == [1])
    slots.withdraw(2)
    slots.withdraw(3)
    slots.withdraw(3)
    slots.release(1)
    #expect(slots.grantAll() == [4])
    slots.release(4)
    slots.release(4)
    #expect(slots.activeCount == 0)
    #expect(slots.waitingCount == 0)
  }

  @Test func `H12: a release that matches no grant frees nothing`() {
    var slots = ConnectionSlots(perHost: 1, inAll: 1)
    slots.enqueue(1, host: "a")
    slots.enqueue(2, host: "a")
    #expect(slots.grantAll() == [1])
    slots.release(2)
    slots.release(99)
    #expect(slots.grantAll() == [])
  }

  @Test func `H12: whatever happens, the limits hold and nobody is forgotten`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<50 {
      var slots = ConnectionSlots(perHost: 3, inAll: 5)
      var hosts: [UInt64: String] = [:]
      var waiting: [UInt64] = []
      var active: [UInt64] = []
      for id in UInt64(1)...400 {
        switch UInt8.random(in: 0..<4, using: &random) {
        case 0, 1:
          hosts[id] = ["a", "b", "c"].randomElement(using: &random)
          slots.enqueue(id, host: hosts[id] ?? "")
          waiting.append(id)
        case 2:
          guard let gone = waiting.randomElement(using: &random) else { continue }
          slots.withdraw(gone)
          waiting.removeAll { $0 == gone }
        default:
          guard let done = active.randomElement(using: &random) else { continue }
          slots.release(done)
          active.removeAll { $0 == done }
        }
        while let granted = slots.grant() {
          let host = hosts[granted]
          // It is the first of its host, and there was room.
          #expect(waiting.first { hosts[$0] == host } == granted)
          #expect(active.count < 5 && active.count { hosts[$0] == host } < 3)
          waiting.removeAll { $0 == granted }
          active.append(granted)
        }
        #expect(slots.waitingCount == waiting.count && slots.activeCount == active.count)
      }
      // Nobody waits who could go.
      let couldGo = waiting.contains { id in active.count { hosts[$0] == hosts[id] } < 3 }
      #expect(active.count == 5 || !couldGo)
    }
  }
}

extension ConnectionSlots {
  fileprivate mutating func grantAll() -> [UInt64] {
    var granted: [UInt64] = []
    while let id = grant() { granted.append(id) }
    return granted
  }
}
