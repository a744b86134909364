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
