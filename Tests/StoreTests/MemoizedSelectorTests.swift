import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MemoizedSelectorTests {
  @Test func `S18: the result is computed anew only when an input has changed`() {
    let summary = MemoizedSelector(\Journal.count) { "counted \($0)" }
    #expect(summary.recomputations == 0)

    #expect(summary.select(Journal(count: 1)) == "counted 1")
    #expect(summary.select(Journal(count: 1, notes: ["not an input"])) == "counted 1")
    #expect(summary.recomputations == 1)

    #expect(summary.select(Journal(count: 2)) == "counted 2")
    #expect(summary.recomputations == 2)
  }

  @Test func `S18: a change of any one of two inputs is enough`() {
    let summary = MemoizedSelector(\Journal.count, \.notes) { count, notes in
      "\(count) of \(notes)"
    }

    #expect(summary.select(Journal(count: 1)) == "1 of []")
    #expect(summary.select(Journal(count: 2)) == "2 of []")
    #expect(summary.select(Journal(count: 2, notes: ["A"])) == "2 of [\"A\"]")
    #expect(summary.select(Journal(count: 2, notes: ["A"])) == "2 of [\"A\"]")
    #expect(summary.recomputations == 3)
  }

  @Test func `S18: a change of any one of three inputs is enough`() {
    struct Parts: Sendable { var first = 1, second = 2, third = 3 }
    let sum = MemoizedSelector(\Parts.first, \.second, \.third) { [$0, $1, $2] }
    var parts = Parts()

    for path in [\Parts.first, \.second, \.third] {
      parts[keyPath: path] *= 10
      #expect(sum.select(parts) == [parts.first, parts.second, parts.third])
      #expect(sum.select(parts) == [parts.first, parts.second, parts.third])
    }
    #expect(sum.recomputations == 3)
  }

  @Test func `S18: the result of one selector may be an input of another`() {
    let sorted = MemoizedSelector(\Journal.notes) { $0.sorted() }
    let first = MemoizedSelector(sorted.select, \.count) { notes, count in notes.prefix(count) }

    #expect(first.select(Journal(count: 1, notes: ["B", "A"])) == ["A"])
    #expect(first.select(Journal(count: 2, notes: ["B", "A"])) == ["A", "B"])
    #expect((sorted.recomputations, first.recomputations) == (1, 2))
  }

  @Test func `S18: a memoised selector selects for an observer and for a sequence`() async {
    let store = makeJournal()
    let loud = MemoizedSelector(\Journal.notes) { $0.map { "\($0)!" } }
    let told = Recorder<[String]>()
    let subscription = store.subscribe(loud.select) { told.record($0) }
    var values = store.values(of: loud.select, buffering: .unbounded).makeAsyncIterator()

    store.dispatch(Note("A"))
    for _ in 0..<100 { store.dispatch(Increment()) }

    #expect(told.values == [[], ["A!"]])
    #expect(await values.next() == [])
    #expect(await values.next() == ["A!"])
    #expect(loud.recomputations == 2)
    subscription.cancel()
  }

  @Test func `S18: two stores that share one get right results on two threads`() async {
    let double = MemoizedSelector(\Journal.count) { $0 * 2 }
    let told = [Recorder<Int>(), Recorder<Int>()]

    await runOnThreads(2) { index in
      let store = makeJournal()
      let subscription = store.subscribe(double.select) { told[index].record($0) }
      for _ in 0..<2_000 { store.dispatch(Increment()) }
      subscription.cancel()
    }

    let expected = (0...2_000).map { $0 * 2 }
    #expect(told.map(\.values) == [expected, expected])
    #expect((2_001...4_002).contains(double.recomputations))
  }

  @Test func `S18: what it lets go of may use the selector`() {
    // Given results whose end asks the selector again, which deadlocks if it is locked then
    let again = Box<MemoizedSelector<Journal, DeinitProbe>?>(nil)
    let ends = Recorder<Int>()
    let selector = MemoizedSelector(\Journal.count) { count in
      DeinitProbe {
        ends.record(count)
        _ = again.value?.recomputations
      }
    }
    again.value = selector

    for count in 0..<3 { _ = selector.select(Journal(count: count)) }

    #expect(ends.values == [0, 1])
    again.value = nil
  }

  @Test func `S18: an equality that uses the selector does not deadlock`() {
    let asked = Box<(@Sendable () -> Int)?>(nil)
    struct Input: Equatable, Sendable {
      let asked: Box<(@Sendable () -> Int)?>
      static func == (first: Input, second: Input) -> Bool {
        first.asked.value?() == 1
      }
    }
    let selector = MemoizedSelector({ (_: Journal) in Input(asked: asked) }) { _ in "computed" }
    asked.value = { selector.recomputations }

    _ = selector.select(Journal())
    _ = selector.select(Journal())

    #expect(selector.recomputations == 1)
    asked.value = nil
  }
}
