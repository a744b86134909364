import Store
import TestSupport
import Testing

/// What an observer of changes is told, and one that brings its own comparison.
@Suite(.timeLimit(.minutes(5)))
struct StateChangeTests {
  /// A change as far as it can be compared.
  private struct Seen: Equatable, Sendable {
    var old: Int?
    var new: Int
    var action: String?
    var number: UInt64?
    var line: UInt?

    init(old: Int?, new: Int, action: String? = nil, number: UInt64? = nil, line: UInt? = nil) {
      (self.old, self.new, self.action) = (old, new, action)
      (self.number, self.line) = (number, line)
    }

    init(_ change: StateChange<Int>) {
      self.init(
        old: change.old, new: change.new, action: change.action.map(label),
        number: change.identity?.number, line: change.identity?.source.line)
    }
  }

  @Test func `S11: a change has the value before, the new one, the action and its identity`() {
    let store = makeJournal()
    let told = Recorder<Seen>()
    let subscription = store.subscribe(changesOf: \.count) { told.record(Seen($0)) }

    let line = #line + 1 as UInt
    store.dispatch(Increment())
    store.dispatch(Note("changes something else"))
    store.dispatch(Increment())

    #expect(
      told.values == [
        Seen(old: nil, new: 0),
        Seen(old: 0, new: 1, action: "Increment", number: 1, line: line),
        Seen(old: 1, new: 2, action: "Increment", number: 3, line: line + 2),
      ])
    subscription.cancel()
  }

  @Test func `S11: without the initial value, the first change has the value of the subscribing`() {
    let store = makeJournal()
    store.dispatch(Increment())
    let told = Recorder<Seen>()
    let subscription = store.subscribe(changesOf: \.count, initial: false) {
      told.record(Seen($0))
    }
    #expect(told.values == [])

    store.dispatch(Increment())

    #expect(told.values.map(\.old) == [1])
    #expect(told.values.map(\.new) == [2])
    subscription.cancel()
  }

  @Test func `S11: each change of several queued has the value before it, and its own action`() {
    // Given an observer that changes the state twice before the next is told
    let store = makeJournal()
    let told = Recorder<Seen>()
    let dispatching = store.subscribe(\.count, initial: false) { count in
      if count == 1 { for _ in 0..<2 { store.dispatch(Increment()) } }
    }
    let subscription = store.subscribe(changesOf: \.count, initial: false) {
      told.record(Seen($0))
    }

    store.dispatch(Increment())

    #expect(told.values.map(\.old) == [0, 1, 2])
    #expect(told.values.map(\.new) == [1, 2, 3])
    #expect(told.values.map(\.number) == [1, 2, 3])
    dispatching.cancel()
    subscription.cancel()
  }

  @Test func `S11: a change of an optional part tells a new nil from no value before`() {
    struct Set: Action { var value: Int? }
    let store = Store(initialState: nil as Int?, reducer: .on(Set.self) { $0 = $1.value })
    let told = Recorder<[Int??]>()
    let subscription = store.subscribe(changesOf: { $0 }) { told.record([$0.old, $0.new]) }

    store.dispatch(Set(value: 1))
    store.dispatch(Set(value: nil))

    #expect(told.values == [[nil, .some(nil)], [.some(nil), 1], [1, .some(nil)]])
    subscription.cancel()
  }

  @Test func `S11: a comparison of one's own is asked with the value last told and the new one`() {
    let store = makeJournal()
    let (asked, told) = (Recorder<[Int]>(), Recorder<Int>())
    let isNoNews = { @Sendable (old: Int, new: Int) in
      asked.record([old, new])
      return new - old < 2
    }
    let subscription = store.subscribe(\.count, by: isNoNews) { told.record($0) }

    for _ in 0..<4 { store.dispatch(Increment()) }

    #expect(asked.values == [[0, 1], [0, 2], [2, 3], [2, 4]])
    #expect(told.values == [0, 2, 4])
    subscription.cancel()
  }
}
