import Store
import TestSupport
import Testing

/// The heap of timers against a sorted array.
struct TimerHeapTests {
  private typealias Heap = TimerHeap<Int, String>

  /// What a heap must do, in the simplest way.
  private struct Model {
    private(set) var timers: [(deadline: Int, id: UInt64)] = []

    mutating func insert(id: UInt64, deadline: Int) {
      timers.append((deadline, id))
      timers.sort { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    }

    mutating func remove(id: UInt64) -> Bool {
      guard let place = timers.firstIndex(where: { $0.id == id }) else { return false }
      timers.remove(at: place)
      return true
    }

    mutating func removeFirst(dueBy now: Int) -> UInt64? {
      guard let first = timers.first, first.deadline <= now else { return nil }
      return timers.removeFirst().id
    }
  }

  @Test(arguments: 0..<200)
  func `E31: a heap does what a sorted array does, for any program`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var heap = Heap()
    var model = Model()
    var lastID: UInt64 = 0
    // Few deadlines make many ties; many make deep branches.
    let deadlines = 0..<[4, 50, 10_000][Int(seed % 3)]
    for _ in 0..<400 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        lastID += 1
        let deadline = Int.random(in: deadlines, using: &random)
        heap.insert("\(lastID)", id: lastID, deadline: deadline)
        model.insert(id: lastID, deadline: deadline)
      case 5..<8:
        let id = UInt64.random(in: 0...lastID + 1, using: &random)
        #expect(heap.remove(id: id) == (model.remove(id: id) ? "\(id)" : nil))
      default:
        let now = Int.random(in: deadlines, using: &random)
        let first = heap.removeFirst(dueBy: now)
        #expect(first?.id == model.removeFirst(dueBy: now))
        #expect(first?.value == first.map { "\($0.id)" })
      }
      #expect(heap.count == model.timers.count)
      #expect(heap.isEmpty == model.timers.isEmpty)
      #expect(heap.first?.id == model.timers.first?.id)
    }
    #expect(heap.sorted.map(\.id) == model.timers.map(\.id))
    while let first = heap.removeFirst(dueBy: deadlines.upperBound) {
      #expect(first.id == model.removeFirst(dueBy: deadlines.upperBound))
    }
    #expect(model.timers.isEmpty)
  }

  @Test func `E31: of timers with one deadline the one made first comes first`() {
    var heap = Heap()
    for id in [3, 1, 4, 2, 5] as [UInt64] { heap.insert("\(id)", id: id, deadline: 7) }
    #expect(heap.sorted.map(\.id) == [1, 2, 3, 4, 5])
    var order: [UInt64] = []
    while let first = heap.removeFirst(dueBy: 7) { order.append(first.id) }
    #expect(order == [1, 2, 3, 4, 5])
  }

  @Test func `E31: taking all out leaves nothing, and returns them in order`() {
    var heap = Heap()
    for id in 1...50 as ClosedRange<UInt64> { heap.insert("\(id)", id: id, deadline: -Int(id)) }
    #expect(heap.removeAll().map(\.id) == Array((1...50).reversed()))
    #expect(heap.isEmpty)
    #expect(heap.remove(id: 7) == nil)
  }

  @Test func `E31: removed timers give their room back`() {
    var heap = Heap()
    for id in 1...10_000 as ClosedRange<UInt64> { heap.insert("", id: id, deadline: Int(id)) }
    #expect(heap.capacity >= 10_000)
    for id in 2...10_000 as ClosedRange<UInt64> { _ = heap.remove(id: id) }
    #expect(heap.capacity <= 64)
    #expect(heap.first?.id == 1)
  }

  /// A deadline that counts how often it is compared.
  private struct Counted: Comparable {
    final class Counter { var count = 0 }

    let value: Int
    let counter: Counter

    static func == (first: Counted, second: Counted) -> Bool {
      first.counter.count += 1
      return first.value == second.value
    }

    static func < (first: Counted, second: Counted) -> Bool {
      first.counter.count += 1
      return first.value < second.value
    }
  }

  @Test func `E31: inserting and removing take logarithmic time`() {
    let counter = Counted.Counter()
    var heap = TimerHeap<Counted, Void>()
    var random = SplitMix64(seed: 1)
    // Two entries may be compared twice at each of twelve levels, by `==` and by `<`.
    let most = 12 * 4 + 4
    func expectFew(_ operation: String, _ body: () -> Void) {
      counter.count = 0
      body()
      #expect(counter.count <= most, "\(operation)")
    }
    for id in 1...4_000 as ClosedRange<UInt64> {
      // Ever earlier ones travel from the bottom to the top.
      let deadline = Counted(value: -Int(id), counter: counter)
      expectFew("insert \(id)") { heap.insert((), id: id, deadline: deadline) }
    }
    for id in (1...4_000 as ClosedRange<UInt64>).shuffled(using: &random) {
      expectFew("remove \(id)") { _ = heap.remove(id: id) }
    }
    #expect(heap.isEmpty)
  }
}
